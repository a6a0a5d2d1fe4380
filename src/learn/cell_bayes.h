#pragma once

// Naive Bayes over cells: a cell counts for each value it covers, in proportion. Numbers are counted in up to 32 bins with about
// equally many ends of cells in each. Counts are smoothed by one row shared among a column's values. The likelihood of a cell is
// the mean over what it covers.

#include <vector>

#include "learn/features/cell_table.h"
#include "learn/features/number_bins.h"

namespace tada {

class CellBayes {
 public:
  explicit CellBayes(const CellTable& table);

  /// The probabilities of the labels for a row.
  void Predict(const CellTable& table, size_t row, std::vector<double>& probabilities) const;

 private:
  struct Column {
    NumberBins bins;
    std::vector<double> share;  // of each label's rows: by value or bin, then label
  };
  std::vector<Column> columns_;
  std::vector<double> prior_;
};

}  // namespace tada
