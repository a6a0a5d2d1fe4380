#pragma once

// Grows a tree for numbers: the split that takes away most of the squared distances to the mean, pruned by cost and complexity
// (Breiman et al. 1984, CART).
//   counts   rows, the sum of their numbers, the sum of their squares; numbers are taken from the mean of all, which keeps sums small.
//   noise    the variance that a tree without any price leaves inside its leaves.
//   price    squared distance that each leaf costs: 2 ln n times the noise. A split finds a threshold and a mean, and by the Bayesian
//            information criterion a parameter is worth ln n times the variance of the noise. So chance alone rarely buys a split.
// A column of names has a branch for each, and pays for each: that is what keeps it from always winning.

#include <cstdint>
#include <span>
#include <vector>

#include "learn/trees/tree_split.h"

namespace tada {

class VarianceCriterion {
 public:
  VarianceCriterion(std::span<const double> targets, double min_rows, double price);

  /// The price of a leaf, from a tree of no price: its cost, which is the squared distance it leaves, and its leaves.
  static double Price(size_t rows, double cost, size_t leaves);

  size_t width() const { return 3; }
  void Add(std::span<double> counts, size_t row, double weight) const {
    const double target = targets_[row] - mean_;
    counts[0] += weight;
    counts[1] += weight * target;
    counts[2] += weight * target * target;
  }
  void TakeAway(std::span<double> counts, std::span<const double> gone) const {
    for (size_t i = 0; i < counts.size(); ++i) counts[i] -= gone[i];
  }
  double Rows(std::span<const double> counts) const { return counts[0]; }
  double Spread(std::span<const double> counts) const;

  bool MayDivide(std::span<const double> counts) const;
  double LeafCost(std::span<const double> counts) const { return Spread(counts) + price_; }
  bool PrefersLeaf(double leaf_cost, double subtree_cost) const { return leaf_cost <= subtree_cost; }
  /// The mean, alone.
  std::vector<double> LeafValues(std::span<const double> counts) const;

  double LeastBranch(double /*total*/) const { return min_rows_; }
  TreeSplit RateThreshold(TreeSplit split, double total, double rows_below, uint32_t tried) const;
  TreeSplit RateNames(size_t column, std::span<const double> counts, double spread, double total) const;
  TreeSplit Choose(std::span<const TreeSplit> splits, double total) const;

 private:
  std::span<const double> targets_;
  double min_rows_, price_, mean_ = 0, negligible_ = 0;
};

}  // namespace tada
