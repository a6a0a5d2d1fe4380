#include "learn/features/sparse_features.h"

namespace tada {

FeatureMaker::FeatureMaker(const CellTable& train, bool shares) : shares_(shares) {
  for (const CellColumn& column : train.columns) {
    Column made{num_features_, {}};
    num_features_ += column.numeric ? 1 : column.num_names;
    if (column.is_share) {
      made.standard = {.unit = 1, .mean = 0, .scale = 1};
    } else if (column.numeric) {
      made.standard = StandardOf(train.num_rows, [&](size_t row) { return column.cell(row).middle(); });
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
        const double value = columns_[c].standard(cell.middle());
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
