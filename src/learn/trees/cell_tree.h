#pragma once

// A decision tree over cells: for labels C4.5 as learn/j48.h grows and prunes it, for numbers (a table with targets) the regression
// tree of learn/trees/variance.h, except that a row may be in several branches in part.
//   piece     a row at a node, with a weight: how much of it is there. An interval that reaches over a threshold, or a set that
//             has several branches' names, is divided in proportion, as C4.5 divides rows with unknown values.
//   bins      thresholds are looked for at the ends of cells, at most 255 per column (their quantiles if there are more).
// Pieces lighter than a quarter of a row are not divided further: one branch is drawn, with a chance in proportion and by a
// hash of row and node, so that the expectation is the same and rows do not multiply. On raw values the tree is J48's, as
// far as the bins are enough.

#include <cstdint>
#include <vector>

#include "base/workers.h"
#include "learn/features/cell_table.h"
#include "learn/features/number_bins.h"

namespace tada {

struct CellTreeOptions {
  double confidence = 0.25;
  double min_rows = 2;  ///< that at least two branches of a split have
  double min_rows_of_numbers = 5;
  double least_piece = 0.25;
  uint32_t most_bins = 255;
  const Workers* workers = nullptr;  ///< whose request to stop is heard at each node
};

class CellTree {
 public:
  explicit CellTree(const CellTable& table, const CellTreeOptions& options = {});

  /// Adds the tree's probabilities of the labels for a row, which sum up to 1; of a tree for numbers, the one it expects.
  void Predict(const CellTable& table, size_t row, std::vector<double>& values) const;
  size_t num_leaves() const;

 private:
  template <class Criterion>
  friend class CellTreeGrower;
  struct Node {
    int32_t column = -1;             // -1: a leaf
    uint32_t bin = 0;                // of a number: bins up to it go to the first branch
    std::vector<uint32_t> children;  // by branch; 0 where no training row went
    std::vector<double> values;      // shares of the labels, smoothed; or the mean number
  };
  struct Box;
  void Descend(const CellTable& table, size_t row, uint32_t node, double weight, Box& box,
               std::vector<double>& values) const;

  std::vector<NumberBins> bins_;  // by column; of a column of names one that is not used
  std::vector<Node> nodes_;
};

}  // namespace tada
