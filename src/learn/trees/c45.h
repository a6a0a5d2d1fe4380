#pragma once

// What trees of the C4.5 family count with (Quinlan 1993, 1996; Weka's J48), and how they choose among splits.
//   info     the rows times the entropy of their labels, in bits.       gain    info that a split takes away, by row.
//   ratio    gain by the information of the sizes of the branches: what is compared, among columns of at least average gain.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/trees/tree_split.h"

namespace tada {

/// x log2 x; 0 for 0.
double XLogX(double x);
/// n times the entropy of counts that sum up to n, in bits.
double InfoOf(std::span<const double> counts);
/// The z that a standard normal variable exceeds with probability `tail`.
double NormalQuantile(double tail);
/// Errors to add to `errors` observed among `rows`, so that the sum is the upper limit at the confidence (C4.5's U_CF); `z` is
/// NormalQuantile(confidence).
double AddedErrors(double rows, double errors, double confidence, double z);

/// Grows a tree for labels as C4.5 Release 8 does. Counts of some rows are their numbers by label.
class C45Criterion {
 public:
  C45Criterion(std::span<const uint32_t> labels, uint32_t num_labels, double min_rows, double confidence)
      : labels_(labels),
        num_labels_(num_labels),
        min_rows_(min_rows),
        confidence_(confidence),
        z_(NormalQuantile(confidence)) {}

  size_t width() const { return num_labels_; }
  void Add(std::span<double> counts, size_t row, double weight) const { counts[labels_[row]] += weight; }
  void TakeAway(std::span<double> counts, std::span<const double> gone) const {
    for (size_t label = 0; label < counts.size(); ++label) counts[label] = std::max(0.0, counts[label] - gone[label]);
  }
  double Rows(std::span<const double> counts) const;
  double Spread(std::span<const double> counts) const { return InfoOf(counts); }

  bool MayDivide(std::span<const double> counts) const;
  /// The pessimistic error of a leaf with these rows.
  double LeafCost(std::span<const double> counts) const;
  bool PrefersLeaf(double leaf_cost, double subtree_cost) const { return leaf_cost <= subtree_cost + 0.1; }
  /// The shares of the labels by Laplace's rule, with one row shared among them: keeps the order of the counts.
  std::vector<double> LeafValues(std::span<const double> counts) const;

  double LeastBranch(double total) const;
  /// Completes the best split at a threshold of a column, found among this many; none if it does not pay for saying which.
  TreeSplit RateThreshold(TreeSplit split, double total, double rows_below, uint32_t tried) const;
  /// The split of a column of names, whose rows are given by name and label; none if it does not divide.
  TreeSplit RateNames(size_t column, std::span<const double> counts, double info, double total) const;
  /// The best ratio among the splits whose gain is at least the average; columns of many names aren't averaged.
  TreeSplit Choose(std::span<const TreeSplit> splits, double total) const;

 private:
  double Errors(std::span<const double> counts) const;

  std::span<const uint32_t> labels_;
  uint32_t num_labels_;
  double min_rows_, confidence_, z_;
};

}  // namespace tada
