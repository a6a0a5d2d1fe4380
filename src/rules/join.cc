#include "rules/join.h"

#include <algorithm>
#include <set>

namespace tada {

std::optional<LevelVector> Join(const LevelVector& a, const LevelVector& b, const LevelVector& top) {
  LevelVector joined(a.size());
  for (size_t c = 0; c < a.size(); ++c) {
    if (a[c] != b[c] && a[c] != top[c] && b[c] != top[c]) return std::nullopt;
    joined[c] = std::min(a[c], b[c]);
  }
  return joined;
}

void JoinRules(std::vector<Rule>& rules, const LevelVector& top,
               const std::function<std::vector<std::optional<Rule>>(const std::vector<LevelVector>&)>& score) {
  std::set<LevelVector> seen;  // rules, and joins whose k was too small
  std::vector<LevelVector> latest;
  for (const Rule& rule : rules) {
    seen.insert(rule.levels);
    latest.push_back(rule.levels);
  }
  while (!latest.empty()) {
    std::vector<LevelVector> candidates;
    for (size_t i = 0; i < latest.size(); ++i) {
      for (size_t j = i + 1; j < latest.size(); ++j) {
        auto joined = Join(latest[i], latest[j], top);
        if (joined && seen.insert(*joined).second) candidates.push_back(*std::move(joined));
      }
    }
    latest.clear();
    for (std::optional<Rule>& rule : score(candidates)) {
      if (!rule) continue;
      rule->joined = true;
      latest.push_back(rule->levels);
      rules.push_back(*std::move(rule));
    }
  }
}

}  // namespace tada
