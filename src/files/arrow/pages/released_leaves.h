#pragma once

// Released cells as the leaves of a Parquet file, told once per different cell.
//   leaf    a column as Parquet stores it: a plain column, each bound of struct<lo,hi>, the elements of list<string>.
//   level   what a leaf has of a row, or of an element of a list: how much of it is there (its definition), and its value.

#include <arrow/array.h>
#include <arrow/result.h>

#include <memory>
#include <span>
#include <vector>

namespace tada {

struct LeafCells {
  static constexpr int32_t kNoValue = -1;

  std::shared_ptr<arrow::Array> values;  ///< the different ones
  std::vector<uint32_t> begins;          ///< of each cell, its first level; behind them, the number of levels
  std::vector<int16_t> definitions;      ///< of each level
  std::vector<int32_t> entries;          ///< of each level, its place in `values`, or kNoValue
  bool repeated = false;                 ///< whether cells are lists: the other levels of a cell go on with its list

  std::span<const int16_t> DefinitionsOf(uint32_t cell) const {
    return std::span(definitions).subspan(begins[cell], begins[cell + 1] - begins[cell]);
  }
  std::span<const int32_t> EntriesOf(uint32_t cell) const {
    return std::span(entries).subspan(begins[cell], begins[cell + 1] - begins[cell]);
  }
};

/// The leaves of the distinct cells of a column (typed_cells.h). `all_differ`: no two of them are the same, but for nulls.
arrow::Result<std::vector<LeafCells>> LeavesOf(const std::shared_ptr<arrow::Array>& cells, bool all_differ);

}  // namespace tada
