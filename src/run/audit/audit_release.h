#pragma once

// The audit of a finished release, whatever it was finished as: a file or a stream. The caller reads the finished release back, cells
// as text (run/audit/released_columns.h).

#include "base/workers.h"
#include "run/anonymize/anonymize.h"
#include "run/audit/outcome.h"

namespace tada {

/// Audits `released` against `original`, as a whole and each controller's rows by themselves, and fills verdict,
/// controllers and sample of the outcome.
Status AuditRelease(const Table& released, const Table& original, const Plan& plan, const Anonymized& made,
                    const Workers& workers, Outcome& outcome);

/// Audits a release by the plan that it is said to be made by, ours or another tool's. As a whole it is asked for the weakest requirement
/// of the plan's controllers; if it has the controller column, of those that are there, and each one's rows are asked for their own too. A released
/// column that the plan gives no role is listed in the notes. Pre: the original has its pseudonyms and what else the plan hides
/// (run/protect/safe_table.h).
Result<Verdict> AuditByPlan(const Table& released, const Table* original, const Plan& plan, const Workers& workers);

/// Some whole classes of a release, and behind them rows that are none of its own: what classes are compared with. Those have the values of the
/// sensitive columns, and `reference` says for each of these columns (in the plan's order) how many released rows each of them stands for.
struct ReleasePart {
  const Table& table;
  std::vector<std::vector<uint64_t>>
      reference;  ///< of equal lengths; none: nothing is compared, and all rows are the release's
};

/// Audits the classes of a part of a release, whose cells are read as those of a whole one, for what all of `asked` ask together. `values`: a
/// table with all values of the sensitive columns, which have an order or a hierarchy there.
Result<Verdict> AuditPart(const ReleasePart& part, const Plan& plan, const std::vector<Controller>& asked,
                          const Table* values, const Workers& workers);

/// Audits that released rows cover original ones, row by row in the order given; nothing is asked of classes. The hierarchies are those that
/// the release was made with, over the codes of the original.
Result<Verdict> AuditCover(const Table& released, const Table& original, const Plan& plan,
                           const ColumnHierarchies& hierarchies, const Workers& workers);

}  // namespace tada
