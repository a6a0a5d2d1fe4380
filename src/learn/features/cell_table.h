#pragma once

// Features as cells, for models that learn from released data and from raw data alike.
//   cell       what is known of a value: of a number, the interval [low, high]; of a name, the values it may be. A raw value is a
//              cell of one.
//   direct     a cell counts for each value that it covers, in proportion: an interval as if its numbers were equally likely, a set
//              as if its names were. Trees and Bayes read cells so; linear models get shares and midpoints.
//   multi-hot  the papers' encoding: every name becomes a column that is 1 if the set has it; an interval is its midpoint.
//   draw       every cell is replaced by one value in it before any model sees it (src/decode).
//   model      the same, by a model of the label (src/decode).
//   expected   every name becomes a column with its probability, an interval its mean (src/decode).
// Unknown (masked, or a missing number) is the cell that covers the whole column.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tada {

struct CellColumn {
  struct Cell {
    double low = 0, high = 0;     ///< of numbers
    uint32_t begin = 0, end = 0;  ///< of names: where they stand in `names`
    bool is_point() const { return low == high; }
    double middle() const { return low / 2 + high / 2; }  ///< the sum of two large numbers would overflow
  };
  bool numeric = false;
  uint32_t num_names = 0;       ///< names are numbered from 0 on
  std::vector<Cell> cells;      ///< the different cells
  std::vector<uint32_t> names;  ///< of the cells, ascending in each
  std::vector<uint32_t> of_row;
  bool is_share = false;  ///< of numbers: how likely a name is, which models that standardize numbers take as it is

  const Cell& cell(size_t row) const { return cells[of_row[row]]; }
  std::span<const uint32_t> names_of(const Cell& cell) const {
    return std::span(names).subspan(cell.begin, cell.end - cell.begin);
  }
};

/// Columns, and what is to be predicted: labels or, for a regression, numbers.
struct CellTable {
  std::vector<CellColumn> columns;
  std::vector<uint32_t> labels;
  uint32_t num_labels = 0;
  std::vector<double> targets;
  size_t num_rows = 0;
};

enum class Encoding { kDirect, kMultiHot, kDraw, kModel, kExpected };
inline constexpr Encoding kEncodings[] = {Encoding::kDirect, Encoding::kMultiHot, Encoding::kDraw, Encoding::kModel,
                                          Encoding::kExpected};
std::string_view EncodingName(Encoding encoding);

/// The papers' encoding as cells of one: a column of 0 and 1 for each name, midpoints of intervals.
CellTable MultiHotCells(const CellTable& table);

/// Names as columns of their shares, intervals as their midpoints: all numbers.
CellTable ShareCells(const CellTable& table);

/// A column of numbers, or of shares, one for each cell, in the rows of `of_row`.
CellColumn NumberColumn(const std::vector<double>& of_cell, std::vector<uint32_t> of_row, bool is_share);

/// The rows that have a target, of a table for a regression: not NaN. Others say nothing of it.
CellTable RowsWithTarget(CellTable table);

/// The rows of those numbers.
CellTable SelectCells(const CellTable& table, std::span<const uint32_t> rows);

}  // namespace tada
