#pragma once

// The columns of a release: how they are read back, and which of them a plan gives a role.

#include <map>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// How the columns of a release are read, as its receiver would: every cell is text, and only columns that are no
/// quasi-identifiers know what "missing" is, there as in the original. The defaults are for columns that the plan does not name.
ColumnOptions ReleasedColumnDefaults(const Plan& plan);
std::map<std::string, ColumnOptions> ReleasedColumnOptions(const Plan& plan);

bool IsPseudonym(const Plan& plan, const std::string& name);
bool IsShifted(const Plan& plan, const std::string& name);

/// Released columns that a plan gives no role.
std::vector<std::string> WithoutRole(const Table& released, const Plan& plan);

}  // namespace tada
