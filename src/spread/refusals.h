#pragma once

// What a run over spread rows does not do, each by the name of its option: an option is supported or refused, never ignored.

#include <string>

#include "plan/plan.h"

namespace tada {

/// Options that need all rows at once, or their order. An option that is not known to work here is refused.
Status CheckSpreadOptions(const PlanFile& file, const OptionValues& options);
Status CheckSpreadPlan(const Plan& plan);

/// Refuses a method that cannot decide from counts.
Status CheckSpreadMethod(const std::string& method, bool decides_from_counts);

}  // namespace tada
