#pragma once

// Splits of the rows at a node of a tree, and the search for a threshold, whatever the tree is grown for.
//   criterion   knows what is to be predicted: C45Criterion (learn/trees/c45.h) labels, VarianceCriterion (learn/trees/variance.h) numbers.
//   counts      what a criterion knows of some rows, `width()` numbers that add up.
//   spread      how mixed rows are, by their counts; 0 when they are all alike.
//   gain        spread that a split takes away, by row.         merit    what splits are compared by.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tada {

struct TreeSplit {
  int32_t column = -1;     ///< -1: no split
  uint32_t threshold = 0;  ///< of a numeric column: codes or bins up to it go to the first branch
  uint32_t names = 0;      ///< of a column of names: how many, each a branch; 0: a threshold, two branches
  double gain = 0, merit = 0;
};

/// Tries the thresholds of a numeric column from the lowest on.
template <class Criterion>
class ThresholdSearch {
 public:
  /// `all`: the counts of the rows at the node, which are `total`; their spread is `spread`.
  ThresholdSearch(const Criterion& criterion, std::span<const double> all, double spread, double total)
      : criterion_(criterion),
        spread_(spread),
        total_(total),
        least_(criterion.LeastBranch(total)),
        below_(all.size(), 0.0),
        above_(all.begin(), all.end()) {}

  /// The next lowest rows, this many, are below all thresholds from here on.
  void Pass(std::span<const double> counts, double rows) {
    for (size_t i = 0; i < counts.size(); ++i) below_[i] += counts[i];
    criterion_.TakeAway(above_, counts);
    rows_ += rows;
  }

  void Try(size_t column, uint32_t threshold) {
    ++tried_;
    if (rows_ < least_ || total_ - rows_ < least_) return;
    const double gain = (spread_ - criterion_.Spread(below_) - criterion_.Spread(above_)) / total_;
    if (best_.column >= 0 && gain <= best_.gain + 1e-12) return;
    best_ = {static_cast<int32_t>(column), threshold, 0, gain, 0};
    best_rows_ = rows_;
  }

  double rows() const { return rows_; }
  TreeSplit Best() const {
    return best_.column < 0 ? TreeSplit{} : criterion_.RateThreshold(best_, total_, best_rows_, tried_);
  }

 private:
  const Criterion& criterion_;
  double spread_, total_, least_, rows_ = 0, best_rows_ = 0;
  std::vector<double> below_, above_;
  TreeSplit best_;
  uint32_t tried_ = 0;
};

}  // namespace tada
