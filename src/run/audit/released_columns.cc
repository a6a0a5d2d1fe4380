#include "run/audit/released_columns.h"

#include <algorithm>

namespace tada {

ColumnOptions ReleasedColumnDefaults(const Plan& plan) { return {.kind = Kind::kCategorical, .missing = plan.missing}; }

std::map<std::string, ColumnOptions> ReleasedColumnOptions(const Plan& plan) {
  std::map<std::string, ColumnOptions> options;
  for (const PlannedColumn& column : plan.quasi) options[column.name] = {.kind = Kind::kCategorical, .missing = {}};
  for (const PlannedColumn& column : plan.sensitive) {
    options[column.name] = {.kind = column.kind, .missing = plan.missing, .show_values = plan.show_values};
  }
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    options[dates.name] = {.kind = Kind::kCategorical, .missing = plan.missing};
  }
  for (const auto* unchanged : {&plan.label, &plan.keep, &plan.pseudonym}) {
    for (const PlannedColumn& column : *unchanged) {
      options[column.name] = {.kind = Kind::kCategorical, .missing = plan.missing};
    }
  }
  return options;
}

bool IsPseudonym(const Plan& plan, const std::string& name) {
  return std::ranges::find(plan.pseudonym, name, &PlannedColumn::name) != plan.pseudonym.end();
}

bool IsShifted(const Plan& plan, const std::string& name) {
  return std::ranges::find(plan.shift_dates, name, &Plan::ShiftedDates::name) != plan.shift_dates.end();
}

std::vector<std::string> WithoutRole(const Table& released, const Plan& plan) {
  std::vector<std::string> names;
  for (const Column& column : released.columns()) {
    const auto named = [&](const std::vector<PlannedColumn>& role) {
      return std::ranges::find(role, column.name(), &PlannedColumn::name) != role.end();
    };
    const bool has_role = IsPseudonym(plan, column.name()) || IsShifted(plan, column.name()) || named(plan.quasi) ||
                          named(plan.sensitive) || named(plan.label) || named(plan.keep);
    // A column without a name (pandas writes an index so) has no role either, whatever the plan leaves unnamed.
    const bool divides = !plan.controller_column.empty() && column.name() == plan.controller_column;
    if (!has_role && !divides) names.push_back(column.name().empty() ? "(without a name)" : column.name());
  }
  return names;
}

}  // namespace tada
