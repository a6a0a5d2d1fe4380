#pragma once

// Strings of distinct cells as the entries of a dictionary page: a string is written once per row group, rows name its number.
// Entries are those that rows show and in the order of their bytes, so that they tell nothing else.

#include <arrow/array.h>
#include <arrow/result.h>

#include <memory>
#include <span>
#include <vector>

namespace tada {

/// The type in which cells of a type are handed to Parquet: dictionaries where it has strings or lists of strings; otherwise itself.
/// `cells` decide: too many bytes would not fit a dictionary page.
std::shared_ptr<arrow::DataType> CodedType(const arrow::Array& cells);

/// Cells of strings or of lists of strings in their coded type. Those that are not used are not in the dictionary, and null.
arrow::Result<std::shared_ptr<arrow::Array>> CodeCells(const arrow::Array& cells, const std::vector<bool>& used);

/// Rows of coded lists. Pre: as CodeCells made them.
arrow::Result<std::shared_ptr<arrow::Array>> TakeLists(const arrow::ListArray& cells, std::span<const uint32_t> rows);

}  // namespace tada
