#pragma once

// Scores level vectors: k, information gain and cell accuracy in one pass over the rows.
//   fold   every row is in one of ten; folds are dealt at random within each label, from a seed.

#include <optional>
#include <span>
#include <vector>

#include "base/workers.h"
#include "groups/level_rows.h"
#include "rules/rule.h"

namespace tada {

/// What a model would predict, for the rows that scorers look at.
struct LabelRows {
  std::vector<uint32_t> of_row;
  uint32_t num_labels = 0;
  uint32_t num_folds = 10;
  std::vector<uint8_t> fold_of_row;
};
/// The values of a label column over `rows`, and stratified folds.
LabelRows MakeLabelRows(const Column& label, std::span<const RowId> rows, uint32_t num_folds, uint64_t seed);

class RuleScorer {
 public:
  /// Both outlive this.
  RuleScorer(const LevelRows& rows, const LabelRows& labels);

  /// The score of a vector whose k is at least `min_k`; nothing if it is not. Called by several threads at once.
  std::optional<Rule> Score(const LevelVector& levels, uint64_t min_k) const;
  /// The same when the classes are known.
  Rule ScoreClasses(const LevelVector& levels, const LevelClasses& classes) const;
  /// Scores many, in the order given.
  std::vector<std::optional<Rule>> ScoreAll(const std::vector<LevelVector>& vectors, uint64_t min_k,
                                            const Workers& workers) const;

  /// H(label), in bits.
  double entropy() const { return entropy_; }
  const LevelRows& rows() const { return rows_; }

 private:
  /// x log2 x of a count.
  double XLogX(uint32_t x) const { return xlogx_[x]; }
  double Accuracy(const LevelClasses& classes) const;

  const LevelRows& rows_;
  const LabelRows& labels_;
  std::vector<double> xlogx_;
  double entropy_ = 0;
  uint32_t majority_ = 0;  // the most frequent label of the table
};

}  // namespace tada
