#include "plan/weights_column.h"

#include <algorithm>

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
    return InvalidArgument("--weights is one column for all controllers, not {} and {}", columns[0], columns[1]);
  }
  const std::string& weights = columns.front();
  std::string_view role;
  for (const auto& [option, list] :
       std::initializer_list<std::pair<std::string_view, const std::vector<PlannedColumn>*>>{
           {"--quasi", &plan.quasi},
           {"--sensitive", &plan.sensitive},
           {"--label", &plan.label},
           {"--person", &plan.person},
           {"--pseudonym", &plan.pseudonym}}) {
    if (std::ranges::find(*list, weights, &PlannedColumn::name) != list->end()) role = option;
  }
  if (std::ranges::find(plan.shift_dates, weights, &Plan::ShiftedDates::name) != plan.shift_dates.end())
    role = "--shift-dates";
  const std::vector<std::string> own_k = OwnKColumns(plan);
  if (std::ranges::find(own_k, weights) != own_k.end()) role = "--k-column";
  if (weights == plan.controller_column) role = "--controller-column";
  if (role.empty()) return Ok();
  return InvalidArgument("Column '{}' has two roles: --weights and {}", weights, role)
      .WithHint("Weights may be released (--keep), and are nothing else.");
}

}  // namespace tada
