#include "rules/scorer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/log2.h"
#include "base/random.h"

namespace tada {

LabelRows MakeLabelRows(const Column& label, std::span<const RowId> rows, uint32_t num_folds, uint64_t seed) {
  LabelRows labels;
  labels.num_labels = label.num_values();
  labels.num_folds = num_folds;
  labels.of_row.reserve(rows.size());
  label.codes().Visit([&](auto codes) {
    for (const RowId row : rows) labels.of_row.push_back(label.value_id(codes[row]));
  });
  std::vector<uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0u);
  Random(MixSeed(seed, 0xF01D5)).Shuffle(std::span(order));
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return labels.of_row[a] < labels.of_row[b]; });
  labels.fold_of_row.resize(rows.size());
  for (size_t i = 0; i < order.size(); ++i) labels.fold_of_row[order[i]] = static_cast<uint8_t>(i % num_folds);
  return labels;
}

RuleScorer::RuleScorer(const LevelRows& rows, const LabelRows& labels) : rows_(rows), labels_(labels) {
  xlogx_.resize(rows.num_rows() + 1, 0.0);
  for (size_t x = 2; x < xlogx_.size(); ++x) xlogx_[x] = static_cast<double>(x) * Log2(static_cast<double>(x));
  std::vector<uint32_t> counts(labels.num_labels, 0);
  for (const uint32_t label : labels.of_row) ++counts[label];
  const auto n = static_cast<double>(std::max<size_t>(1, rows.num_rows()));
  entropy_ = XLogX(static_cast<uint32_t>(rows.num_rows()));
  for (const uint32_t count : counts) entropy_ -= XLogX(count);
  entropy_ /= n;
  majority_ = static_cast<uint32_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

std::optional<Rule> RuleScorer::Score(const LevelVector& levels, uint64_t min_k) const {
  for (size_t c = 0; c < levels.size(); ++c) {
    if (rows_.smallest_node(c, levels[c]) < min_k) return std::nullopt;
  }
  LevelClasses classes;
  const auto most = static_cast<uint32_t>(rows_.num_rows() / std::max<uint64_t>(1, min_k));
  if (!rows_.FindClasses(levels, most, classes)) return std::nullopt;
  if (classes.Smallest() < min_k) return std::nullopt;
  return ScoreClasses(levels, classes);
}

Rule RuleScorer::ScoreClasses(const LevelVector& levels, const LevelClasses& classes) const {
  Rule rule;
  rule.levels = levels;
  rule.k = classes.Smallest();
  rule.classes = classes.num_classes;
  const size_t m = labels_.num_labels;
  std::vector<uint32_t> counts(classes.num_classes * m, 0);
  for (size_t row = 0; row < classes.of_row.size(); ++row) ++counts[classes.of_row[row] * m + labels_.of_row[row]];
  double left = 0;  // n * H(label | class)
  for (size_t i = 0; i < classes.num_classes; ++i) {
    uint32_t size = 0;
    double sum = 0;
    for (size_t label = 0; label < m; ++label) {
      size += counts[i * m + label];
      sum += XLogX(counts[i * m + label]);
    }
    left += XLogX(size) - sum;
  }
  rule.information_gain =
      std::max(0.0, entropy_ - left / static_cast<double>(std::max<size_t>(1, classes.of_row.size())));
  rule.accuracy = Accuracy(classes);
  return rule;
}

double RuleScorer::Accuracy(const LevelClasses& classes) const {
  const size_t m = labels_.num_labels, folds = labels_.num_folds;
  std::vector<uint32_t> counts(classes.num_classes * m * folds, 0);
  for (size_t row = 0; row < classes.of_row.size(); ++row) {
    ++counts[(classes.of_row[row] * m + labels_.of_row[row]) * folds + labels_.fold_of_row[row]];
  }
  uint64_t right = 0;
  std::vector<uint32_t> totals(m);
  for (size_t i = 0; i < classes.num_classes; ++i) {
    const uint32_t* of_class = &counts[i * m * folds];
    for (size_t label = 0; label < m; ++label)
      totals[label] = std::accumulate(&of_class[label * folds], &of_class[(label + 1) * folds], 0u);
    for (size_t fold = 0; fold < folds; ++fold) {
      uint32_t guess = majority_,
               most = 0;  // a class that the other folds do not have: the table's most frequent label
      for (uint32_t label = 0; label < m; ++label) {
        const uint32_t seen = totals[label] - of_class[label * folds + fold];
        if (seen > most) most = seen, guess = label;
      }
      right += of_class[guess * folds + fold];
    }
  }
  return classes.of_row.empty() ? 0 : static_cast<double>(right) / static_cast<double>(classes.of_row.size());
}

std::vector<std::optional<Rule>> RuleScorer::ScoreAll(const std::vector<LevelVector>& vectors, uint64_t min_k,
                                                      const Workers& workers) const {
  std::vector<std::optional<Rule>> scores(vectors.size());
  workers.For(vectors.size(), [&](size_t i) { scores[i] = Score(vectors[i], min_k); });
  return scores;
}

}  // namespace tada
