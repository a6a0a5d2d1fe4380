#include "plan/weights_column.h"

#include <algorithm>

#include "base/option_mark.h"
#include "privacy/models/max_risk.h"

namespace tada {

std::vector<std::string> WeightsColumns(const Plan& plan) {
  std::vector<std::string> columns;
  const auto add = [&](const Requirement& requirement) {
    const Demand* demand = RiskDemand(requirement);
    if (demand != nullptr && !demand->column.empty() && std::ranges::find(columns, demand->column) == columns.end())
      columns.push_back(demand->column);
  };
  add(plan.requirement);
  for (const auto& [name, requirement] : plan.controller_requirements) add(requirement);
  return columns;
}

Status CheckWeights(const Plan& plan) {
  const std::vector<std::string> columns = WeightsColumns(plan);
  if (columns.empty()) return Ok();
  if (columns.size() > 1) {
    return InvalidArgument(TADA_OPTION("weights") " is one column for all controllers, not {} and {}", columns[0],
                           columns[1]);
  }
  const std::string& weights = columns.front();
  std::string_view role;
  for (const auto& [option, list] :
       std::initializer_list<std::pair<std::string_view, const std::vector<PlannedColumn>*>>{
           {TADA_OPTION("quasi"), &plan.quasi},
           {TADA_OPTION("sensitive"), &plan.sensitive},
           {TADA_OPTION("label"), &plan.label},
           {TADA_OPTION("person"), &plan.person},
           {TADA_OPTION("pseudonym"), &plan.pseudonym}}) {
    if (std::ranges::find(*list, weights, &PlannedColumn::name) != list->end()) role = option;
  }
  if (std::ranges::find(plan.shift_dates, weights, &Plan::ShiftedDates::name) != plan.shift_dates.end())
    role = TADA_OPTION("shift-dates");
  const std::vector<std::string> own_k = OwnKColumns(plan);
  if (std::ranges::find(own_k, weights) != own_k.end()) role = TADA_OPTION("k-column");
  if (weights == plan.controller_column) role = TADA_OPTION("controller-column");
  if (role.empty()) return Ok();
  return InvalidArgument("Column '{}' has two roles: " TADA_OPTION("weights") " and {}", weights, role)
      .WithHint("Weights may be released (" TADA_OPTION("keep") "), and are nothing else.");
}

}  // namespace tada
