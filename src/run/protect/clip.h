#pragma once

// Top and bottom coding (--clip age=18..90): numbers outside are taken for the nearer end, before anything else looks at them.

#include <string>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// Clips the plan's columns that the table has. kInvalidArgument: one that holds no numbers, or an end that is none.
Status ClipTable(const Plan& plan, Table& table);

/// What was done, in whole sentences for the report; "" if nothing.
std::string ClipWords(const Plan& plan);

}  // namespace tada
