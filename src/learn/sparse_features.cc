#include "learn/sparse_features.h"

#include <cmath>

namespace tada {

FeatureMaker::FeatureMaker(const CellTable& train, bool shares) : shares_(shares) {
  for (const CellColumn& column : train.columns) {
    Column made{num_features_, 0, 0};
    num_features_ += column.numeric ? 1 : column.num_names;
    if (column.numeric && train.num_rows > 0) {
      const auto rows = static_cast<double>(train.num_rows);
      double sum = 0, squares = 0;
      for (size_t row = 0; row < train.num_rows; ++row) sum += (column.cell(row).low + column.cell(row).high) / 2;
      made.mean = sum / rows;
      for (size_t row = 0; row < train.num_rows; ++row) {
        const double off = (column.cell(row).low + column.cell(row).high) / 2 - made.mean;
        squares += off * off;
      }
      made.scale = squares > 0 ? std::sqrt(rows / squares) : 0;
    }
    columns_.push_back(made);
  }
}

SparseRows FeatureMaker::Make(const CellTable& table) const {
  SparseRows rows;
  rows.num_features = num_features_;
  for (size_t row = 0; row < table.num_rows; ++row) {
    for (size_t c = 0; c < columns_.size(); ++c) {
      const CellColumn& column = table.columns[c];
      const CellColumn::Cell& cell = column.cell(row);
      if (column.numeric) {
        const double value = ((cell.low + cell.high) / 2 - columns_[c].mean) * columns_[c].scale;
        if (value != 0) rows.entries.push_back({columns_[c].first, value});
        continue;
      }
      const double value = shares_ ? 1.0 / static_cast<double>(cell.end - cell.begin) : 1.0;
      for (const uint32_t name : column.names_of(cell)) rows.entries.push_back({columns_[c].first + name, value});
    }
    rows.begin.push_back(rows.entries.size());
  }
  return rows;
}

}  // namespace tada
