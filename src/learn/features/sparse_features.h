#pragma once

// Cells as numbers, for models that need them: of a number its interval's midpoint, standardized over the training rows; of a name a
// feature for each value. What is 0 is not stored.

#include <vector>

#include "learn/features/cell_table.h"
#include "learn/features/standard.h"

namespace tada {

struct SparseEntry {
  uint32_t feature;  ///< from 0 on
  double value;
};

struct SparseRows {
  uint32_t num_features = 0;
  std::vector<size_t> begin{0};  ///< by row, in `entries`; and the end
  std::vector<SparseEntry> entries;
};

class FeatureMaker {
 public:
  /// `shares`: a set of n names is 1/n in each of their features, otherwise 1.
  FeatureMaker(const CellTable& train, bool shares);
  SparseRows Make(const CellTable& table) const;

 private:
  struct Column {
    uint32_t first = 0;
    Standard standard;  // of numbers
  };
  bool shares_;
  uint32_t num_features_ = 0;
  std::vector<Column> columns_;
};

}  // namespace tada
