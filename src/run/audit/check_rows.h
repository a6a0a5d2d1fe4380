#pragma once

// Whether every row of the input is released, or one of those that may be left out (--withhold).

#include <vector>

#include "audit/audit.h"
#include "run/anonymize/anonymize.h"

namespace tada {

/// Every row of the input is released once, or is one of those that the run says it withholds; no more of them than the plan allows, and
/// none of a person who has rows in the release. Adds what is wrong to the verdict.
void CheckEveryRow(const Table& released, const Table& original, const Plan& plan, const Anonymized& made,
                   Verdict& verdict);

/// No more rows are missing than those of the people who may be left out.
void CheckShareWithheld(const Plan& plan, const Table& original, const AuditOptions& options, Verdict& verdict);

/// How many people have one of these rows. `person`: the columns that name people; empty: every row is one.
uint64_t CountPeople(const Table& table, const std::vector<ColumnId>& person, const std::vector<RowId>& rows);

}  // namespace tada
