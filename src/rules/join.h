#pragma once

// Joins rules (Algorithm 1 of the paper on decision support): two rules that agree on the columns they share make one that has the
// columns of both. It says more about the label, and is less anonymous, than either.

#include <functional>
#include <optional>
#include <vector>

#include "rules/rule.h"

namespace tada {

/// The union of two vectors, if every column that both name is at the same level; a column at its top is not named.
std::optional<LevelVector> Join(const LevelVector& a, const LevelVector& b, const LevelVector& top);

/// Adds to `rules`, which all have k of at least `min_k`, every join that has it too, until nothing is new. `score` returns
/// the scores of vectors, or nothing where k is too small. The paper forgets to ask whether a join is new, and recodes by
/// the wrong variable (line 20); we do neither.
void JoinRules(std::vector<Rule>& rules, const LevelVector& top,
               const std::function<std::vector<std::optional<Rule>>(const std::vector<LevelVector>&)>& score);

}  // namespace tada
