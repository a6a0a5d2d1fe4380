#pragma once

// What a run over spread rows does not do, each by the name of its option: an option is supported or refused, never ignored.

#include <string>

#include "partition/engine/method.h"
#include "plan/plan.h"

namespace tada {

/// Options that need all rows at once, or their order. An option that is not known to work here is refused.
Status CheckSpreadOptions(const PlanFile& file, const OptionValues& options);
Status CheckSpreadPlan(const Plan& plan);

/// Refuses a method that looks at the order of the input, or at the run as a whole.
Status CheckSpreadMethod(const MethodEntry& method, const MethodContext& context);
/// Says that the rows of a controller ("": there is one) are too many for a method that needs all of them. `compares`: whether distributions are.
Error TooManyRows(const std::string& method, bool compares, const std::string& controller, uint64_t rows,
                  uint64_t local_rows);

}  // namespace tada
