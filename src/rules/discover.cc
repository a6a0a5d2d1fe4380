#include "rules/discover.h"

#include "rules/join.h"
#include "rules/maximal.h"
#include "score/frontier.h"

namespace tada {

Result<Discovery> DiscoverRules(const Patterns& patterns, const RuleScorer& scorer, const DiscoverOptions& options,
                                const Workers& workers, Progress& progress) {
  Discovery discovery;
  progress.Begin("rules", 0);
  std::vector<uint64_t> frequent = FrequentPatterns(patterns, options.coverage);
  discovery.kept_patterns = frequent.size();
  const std::vector<LevelVector> minimal = MinimalPatterns(patterns, std::move(frequent), workers);
  discovery.minimal_patterns = minimal.size();
  const LevelVector top = scorer.rows().Top();
  TADA_TRY(vectors, MaximalVectors(minimal, top, options.max_rules, workers));
  discovery.found = vectors.size();
  const auto score = [&](const std::vector<LevelVector>& wanted) {
    return scorer.ScoreAll(wanted, options.min_k, workers);
  };
  for (std::optional<Rule>& rule : score(vectors)) {
    if (rule) discovery.rules.push_back(*std::move(rule));
  }
  discovery.found_with_k = discovery.rules.size();
  JoinRules(discovery.rules, top, score);
  MarkFrontier(discovery.rules);
  return discovery;
}

void MarkFrontier(std::vector<Rule>& rules) {
  std::vector<ParetoPoint> points;
  for (const Rule& rule : rules) points.push_back({static_cast<double>(rule.k), rule.accuracy, rule.information_gain});
  const std::vector<bool> on_frontier = FindFrontier(points);
  for (size_t i = 0; i < rules.size(); ++i) rules[i].frontier = on_frontier[i];
}

}  // namespace tada
