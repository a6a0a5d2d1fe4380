#pragma once

// The audit: verifies a released table from its cells alone, ours or another tool's. Written from the definitions, for
// clarity; it includes nothing of groups, partition or recode, so that a mistake there cannot hide here.
//   class     rows whose released quasi-identifier cells are equal, byte for byte.
//   verdict   whether every class meets the requirement, and what the file really reaches.
//   cover     a released cell covers an original value if the value lies in its interval or set, or is it.
// What it verifies, how, and what it cannot see: docs/guarantees.md. The parts: table/parsed_cell.h reads cells, classes/ groups
// rows, checks/ has a file per requirement, original/ looks for the original row behind each released one and judges its cells.

#include "audit/classes/verdict.h"
#include "base/workers.h"
#include "table/table.h"

namespace tada {

/// Verifies `release`, a table whose cells were read as they are written. A sensitive column should be read with its
/// kind inferred or as it was given, so that dates are compared as dates; spellings of one value count once (audit/checks/folding.h).
/// Errors are kInvalidArgument (no such column, no quasi-identifier, k or l below 1) or kData.
/// Same verdict at any number of threads.
Result<Verdict> Audit(const Table& release, const AuditOptions& options, const Workers& workers);

}  // namespace tada
