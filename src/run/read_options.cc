#include "run/read_options.h"

#include "plan/plan_columns.h"
#include "run/audit/released_columns.h"

namespace tada {

LayoutOptions PlannedLayout(const Plan& plan) {
  return {.delimiter = plan.delimiter, .charset = plan.charset, .sheet = plan.sheet};
}

ReadOptions OriginalReadOptions(const Plan& plan) {
  ReadOptions options{PlannedLayout(plan)};
  options.defaults.missing = plan.missing;
  options.by_name = PlannedColumnOptions(plan);
  return options;
}

ReadOptions PlannedReadOptions(const Plan& plan) {
  ReadOptions options = OriginalReadOptions(plan);
  options.columns.emplace();
  for (const auto& [name, unused] : options.by_name) options.columns->push_back(name);
  return options;
}

ReadOptions ReleaseReadOptions(const Plan& plan) {
  ReadOptions options{PlannedLayout(plan)};
  options.defaults = ReleasedColumnDefaults(plan);
  options.by_name = ReleasedColumnOptions(plan);
  options.guarded = plan.guard_formulas;
  return options;
}

}  // namespace tada
