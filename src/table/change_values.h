#pragma once

// Columns and tables with other dictionaries: only the values that some rows have, or numbers no smaller and no larger than bounds.

#include <span>
#include <string_view>
#include <vector>

#include "table/table.h"

namespace tada {

/// A part of a table whose dictionaries hold nothing of the other rows.
struct NarrowTable {
  Table table;
  std::vector<std::vector<Code>> old_code;  ///< by column and code: the code in the table it was taken from
};
/// The rows of those numbers, in that order.
NarrowTable NarrowRows(const Table& table, std::span<const RowId> rows);

/// Where a column of numbers or dates is cut off.
struct ClipBound {
  double number = 0;
  std::string_view text;  ///< as the column writes it; "": no bound on this side
};
/// The column with numbers below `low` and above `high` taken for these; missing values stay. Pre: a numeric column, low <= high.
Column ClipColumn(const Column& column, const ClipBound& low, const ClipBound& high);

}  // namespace tada
