#pragma once

// Every level vector with a k of at least `min_k`: depth first over the columns, each from its top level down.
// Lowering a level never raises k, so a column stops at the first level that falls short. The paper has no such list; it
// gives the exact frontier, beside which the rules are shown.

#include <vector>

#include "base/progress.h"
#include "rules/scorer.h"

namespace tada {

/// Scored, in the order of the search; the vector of all tops is left out. kInfeasible beyond `max_vectors`.
Result<std::vector<Rule>> FindAllVectors(const RuleScorer& scorer, uint64_t min_k, size_t max_vectors,
                                         const Workers& workers, Progress& progress);

}  // namespace tada
