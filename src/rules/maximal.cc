#include "rules/maximal.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/option_mark.h"

namespace tada {
namespace {

// Vectors with their levels in unary, so that "below in every column" is one AND per word.
class UnaryVectors {
 public:
  /// `levels` has the number of levels of each column.
  explicit UnaryVectors(const std::vector<uint8_t>& levels) : first_bit_(1, 0) {
    for (const uint8_t count : levels) first_bit_.push_back(first_bit_.back() + count - 1);
    words_ = std::max<size_t>(1, (first_bit_.back() + 63) / 64);
  }

  size_t words() const { return words_; }
  void Append(const LevelVector& vector, std::vector<uint64_t>& bits) const {
    const size_t begin = bits.size();
    bits.resize(begin + words_, 0);
    for (size_t c = 0; c < vector.size(); ++c) {
      for (size_t bit = first_bit_[c]; bit < first_bit_[c] + vector[c]; ++bit)
        bits[begin + bit / 64] |= uint64_t{1} << bit % 64;
    }
  }
  /// Whether `a` lies below `b`, or is it.
  bool Below(const uint64_t* a, const uint64_t* b) const {
    uint64_t above = 0;
    for (size_t w = 0; w < words_; ++w) above |= a[w] & ~b[w];
    return above == 0;
  }

 private:
  std::vector<size_t> first_bit_;
  size_t words_ = 1;
};

// The rules with respect to the patterns seen so far, kept maximal as patterns are added.
class RuleSet {
 public:
  RuleSet(const std::vector<LevelVector>& patterns, const LevelVector& top)
      : patterns_(patterns), top_(top), words_((patterns.size() + 63) / 64), rules_{top} {
    // below_[c][level]: the patterns whose distance in column c is at most level.
    below_.resize(top.size());
    for (size_t c = 0; c < top.size(); ++c) {
      below_[c].assign(top[c] + size_t{1}, std::vector<uint64_t>(words_, 0));
      for (size_t level = 0; level <= top[c]; ++level) {
        for (size_t p = 0; p < patterns.size(); ++p) {
          if (patterns[p][c] <= level) below_[c][level][p / 64] |= uint64_t{1} << p % 64;
        }
      }
    }
  }

  /// Takes pattern `p` into account; all before it have been.
  void Add(size_t p) {
    const LevelVector& pattern = patterns_[p];
    std::vector<LevelVector> kept;
    std::set<LevelVector> children;
    for (LevelVector& rule : rules_) {
      bool broken = true;
      for (size_t c = 0; c < pattern.size() && broken; ++c) broken = pattern[c] <= rule[c];
      if (!broken) {
        kept.push_back(std::move(rule));
        continue;
      }
      for (size_t c = 0; c < pattern.size(); ++c) {
        if (pattern[c] == 0) continue;
        LevelVector child = rule;
        child[c] = static_cast<uint8_t>(pattern[c] - 1);
        if (!children.contains(child) && IsMaximal(child, p)) children.insert(std::move(child));
      }
    }
    rules_ = std::move(kept);
    rules_.insert(rules_.end(), children.begin(), children.end());
  }

  const std::vector<LevelVector>& rules() const { return rules_; }

 private:
  /// Whether raising any level breaks one of the patterns up to `last`.
  bool IsMaximal(const LevelVector& rule, size_t last) {
    const size_t columns = rule.size(), words = last / 64 + 1;
    suffix_.assign((columns + 1) * words, ~uint64_t{0});
    suffix_[columns * words + words - 1] = last % 64 == 63 ? ~uint64_t{0} : (uint64_t{1} << (last % 64 + 1)) - 1;
    for (size_t c = columns; c-- > 0;) {
      const auto& below = below_[c][rule[c]];
      for (size_t w = 0; w < words; ++w) suffix_[c * words + w] = suffix_[(c + 1) * words + w] & below[w];
    }
    prefix_.assign(words, ~uint64_t{0});
    for (size_t c = 0; c < columns; ++c) {
      const uint64_t* rest = &suffix_[(c + 1) * words];
      if (rule[c] < top_[c]) {
        const auto& raised = below_[c][rule[c] + size_t{1}];
        uint64_t any = 0;
        for (size_t w = 0; w < words; ++w) any |= prefix_[w] & rest[w] & raised[w];
        if (any == 0) return false;
      }
      const auto& below = below_[c][rule[c]];
      for (size_t w = 0; w < words; ++w) prefix_[w] &= below[w];
    }
    return true;
  }

  const std::vector<LevelVector>& patterns_;
  const LevelVector& top_;
  size_t words_;
  std::vector<LevelVector> rules_;
  std::vector<std::vector<std::vector<uint64_t>>> below_;
  std::vector<uint64_t> prefix_, suffix_;
};

}  // namespace

std::vector<LevelVector> MinimalPatterns(const Patterns& patterns, std::vector<uint64_t> keys, const Workers& workers) {
  const auto level_sum = [&](uint64_t key) {
    uint32_t sum = 0;
    for (const uint8_t count : patterns.levels) {
      sum += static_cast<uint32_t>(key % count);
      key /= count;
    }
    return sum;
  };
  // By level sum: whatever lies below a pattern has come before it. Counted into buckets, since there may be millions.
  std::vector<std::vector<uint64_t>> by_sum;
  for (const uint64_t key : keys) {
    const uint32_t sum = level_sum(key);
    if (sum >= by_sum.size()) by_sum.resize(sum + 1);
    by_sum[sum].push_back(key);
  }
  const UnaryVectors unary(patterns.levels);
  std::vector<LevelVector> minimal;
  std::vector<uint64_t> kept, bits;
  uint64_t looked_at = 0;
  for (std::vector<uint64_t>& bucket : by_sum) {
    std::sort(bucket.begin(), bucket.end());
    for (const uint64_t key : bucket) {
      if (++looked_at % 4096 == 0) workers.Poll();
      const LevelVector pattern = patterns.Unpack(key);
      bits.clear();
      unary.Append(pattern, bits);
      bool covered = false;
      for (size_t at = 0; at < kept.size() && !covered; at += unary.words())
        covered = unary.Below(&kept[at], bits.data());
      if (covered) continue;
      kept.insert(kept.end(), bits.begin(), bits.end());
      minimal.push_back(pattern);
    }
  }
  return minimal;
}

Result<std::vector<LevelVector>> MaximalVectors(const std::vector<LevelVector>& minimal, const LevelVector& top,
                                                size_t max_rules, const Workers& workers) {
  if (minimal.empty()) return std::vector<LevelVector>();
  std::vector<LevelVector> patterns = minimal;  // those with few non-zero columns have few children: they come first
  const auto non_zero = [](const LevelVector& v) {
    return v.size() - static_cast<size_t>(std::count(v.begin(), v.end(), 0));
  };
  std::stable_sort(patterns.begin(), patterns.end(),
                   [&](const LevelVector& a, const LevelVector& b) { return non_zero(a) < non_zero(b); });
  RuleSet set(patterns, top);
  for (size_t p = 0; p < patterns.size(); ++p) {
    workers.Poll();
    set.Add(p);
    if (set.rules().size() > max_rules) {
      return Infeasible("More rules than " TADA_OPTION("max-rules") " allows: {} after {} of {} patterns",
                        set.rules().size(), p + 1, patterns.size())
          .WithHint("Lower " TADA_OPTION("coverage") ": fewer patterns make fewer and more general rules.");
    }
  }
  std::vector<LevelVector> rules = set.rules();
  std::erase(rules, top);
  std::sort(rules.begin(), rules.end());
  return rules;
}

}  // namespace tada
