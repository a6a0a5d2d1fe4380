#pragma once

// A plain table in the form that writers take: every column as it is, rows in their order.

#include <numeric>

#include "recode/release.h"

namespace tada {

/// The table must outlive the result.
inline Release PlainRelease(const Table& table) {
  Release release;
  release.table = &table;
  release.columns.resize(table.num_columns());
  for (ColumnId id = 0; id < table.num_columns(); ++id) release.columns[id].source = id;
  release.row_order.resize(table.num_rows());
  std::iota(release.row_order.begin(), release.row_order.end(), RowId{0});
  return release;
}

}  // namespace tada
