#pragma once

// Finds the rules of a table: patterns, minimal patterns, maximal vectors, scores, joins, frontier. Patterns are counted
// once and serve every coverage.

#include <vector>

#include "rules/patterns.h"
#include "rules/rule.h"
#include "rules/scorer.h"

namespace tada {

struct DiscoverOptions {
  double coverage = 5;  ///< percent of the pairs that rules must not confuse
  uint64_t min_k = 2;
  size_t max_rules = 1'000'000;
};

struct Discovery {
  std::vector<Rule> rules;  ///< those with k of at least min_k, found ones first, then joins
  uint64_t kept_patterns = 0, minimal_patterns = 0;
  uint64_t found = 0;         ///< maximal vectors, whatever their k
  uint64_t found_with_k = 0;  ///< of these with k of at least min_k
};

Result<Discovery> DiscoverRules(const Patterns& patterns, const RuleScorer& scorer, const DiscoverOptions& options,
                                const Workers& workers, Progress& progress);

/// Marks the rules on the frontier of k, accuracy and information gain.
void MarkFrontier(std::vector<Rule>& rules);

}  // namespace tada
