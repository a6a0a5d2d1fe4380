#pragma once

// From patterns to rules (docs/algorithms/rules.md).
//   valid     a level vector is valid if no pattern lies below it in every column: rows that it makes equal have one label,
//             as far as the patterns tell.
//   maximal   a valid vector none of whose levels can be raised. Every vector below a valid one is valid.
//   minimal   a pattern that no other pattern lies below: only these matter.
// The rules are the maximal vectors: the minimal relaxed functional dependencies that the paper finds with DOMINO.

#include <vector>

#include "base/workers.h"
#include "groups/level_rows.h"
#include "rules/patterns.h"

namespace tada {

/// The minimal ones among patterns, given by their keys, in order of their level sums.
std::vector<LevelVector> MinimalPatterns(const Patterns& patterns, std::vector<uint64_t> keys, const Workers& workers);

/// All maximal valid vectors up to `top`, the empty rule (all columns at the top) left out; sorted. kInfeasible beyond
/// `max_rules`.
Result<std::vector<LevelVector>> MaximalVectors(const std::vector<LevelVector>& minimal, const LevelVector& top,
                                                size_t max_rules, const Workers& workers);

}  // namespace tada
