#pragma once

// A small random forest (Breiman 2001) over columns of few bins: what a model could learn of a label from the columns.
//   bin       a column's value as a number below 256, in the order of the values; a split sends bins up to a limit left.
//   in bag    the rows that a tree was grown on, drawn with replacement.
//   out of bag probabilities   the mean over the trees that did not see a row: an honest guess of its class.

#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "table/column.h"

namespace tada {

struct ForestOptions {
  uint32_t trees = 60;
  uint32_t bag = 50000;      ///< rows drawn for a tree, at most
  uint32_t least_leaf = 10;  ///< rows of a leaf, at least
  uint64_t seed = 1;
};

/// Rows in bins, row by row.
struct BinnedRows {
  uint32_t num_columns = 0;
  std::vector<uint8_t> bins;
  size_t num_rows() const { return num_columns == 0 ? 0 : bins.size() / num_columns; }
  const uint8_t* row(size_t i) const { return bins.data() + i * num_columns; }
};

/// The rows of some columns in bins: a bin per value if there are at most 256, else bins of about equally many rows.
BinnedRows BinRows(std::span<const Column* const> columns, std::span<const RowId> rows, const Workers& workers);

class Forest {
 public:
  /// `classes`: of each row, below `num_classes`.
  Forest(const BinnedRows& rows, std::span<const uint16_t> classes, uint32_t num_classes, const ForestOptions& options,
         const Workers& workers);

  uint32_t num_classes() const { return num_classes_; }
  /// Adds the class probabilities of a row to `out`.
  void Predict(const uint8_t* row, std::span<float> out) const;
  /// The out-of-bag probabilities of all rows, row by row; a row that every tree saw has the shares of the classes.
  std::vector<float> OutOfBag(const BinnedRows& rows, const Workers& workers) const;

 private:
  struct Node {
    uint16_t column = 0;
    uint8_t limit = 0;  // bins up to it go to `next`, the others to `next + 1`
    bool leaf = true;
    uint32_t next = 0;  // of a leaf: where its probabilities begin
  };
  struct Tree {
    std::vector<Node> nodes;
    std::vector<float> probabilities;
    std::vector<uint64_t> in_bag;  // a bit per row
  };
  class Grower;

  const float* Leaf(const Tree& tree, const uint8_t* row) const;

  uint32_t num_classes_;
  std::vector<float> shares_;  // of the classes
  std::vector<Tree> trees_;
};

}  // namespace tada
