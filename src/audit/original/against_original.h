#pragma once

// Verifies a release against the original table: that every released row tells the truth about a row of its own.
//   quasi-identifiers   the released cell must cover the original value.
//   other columns       the released value must be the original one.
// Rows are laid beside each other in the order given, or as they stand, or in an order that is searched for.

#include "audit/classes/classes.h"
#include "audit/classes/verdict.h"
#include "audit/original/people.h"

namespace tada {

/// Fills the verdict's cover, row_match, rows_match and withheld_rows, and adds to problems and notes. The class that each
/// original row stands in is known if the order is, or if every row fits into one class only.
/// Pre: options.original is set; columns and order are in range.
ClassOfOriginal CheckAgainstOriginal(const Table& release, const AuditOptions& options, const Classes& classes,
                                     const Workers& workers, Verdict& verdict);

}  // namespace tada
