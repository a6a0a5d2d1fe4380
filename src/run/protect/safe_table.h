#pragma once

// What a policy (plan/policy.h) does to a table before it is released, and how it looks at what came out.

#include <set>
#include <string>
#include <vector>

#include "audit/classes/verdict.h"
#include "plan/plan.h"
#include "plan/policy.h"
#include "table/table.h"

namespace tada {

/// The table as the policy lets it be seen: ages of 90 and more are 90, ZIP codes three digits, dates years. Other tables are given
/// back as they are.
Result<Table> SafeTable(Table table, const Plan& plan, const Policy& policy);

/// The columns that it changed.
std::vector<std::string> SafeColumns(const Table& table, const Plan& plan, const Policy& policy);

/// kInvalidArgument names a column with a role that the policy does not let out at all.
Status CheckPolicy(const Table& table, const Plan& plan, const Policy& policy);

/// The table with all that may not be seen of it replaced: by the plan's policy, by pseudonyms and by shifted dates. `changed` gets the
/// names of columns that no longer have the values of the input.
Result<Table> HiddenTable(Table table, const Plan& plan, std::set<std::string>& changed);

/// Adds what a finished release breaks of the policy to the problems of its verdict, and what it says to the notes.
void JudgePolicy(const Table& released, const Plan& plan, const Policy& policy, Verdict& verdict);

}  // namespace tada
