#pragma once

// Columns that are found while rows are read.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "files/read_parts.h"

namespace tada {

class RowColumns {
 public:
  RowColumns(const ReadOptions& options, std::string name) : options_(options), name_(std::move(name)) {}

  /// The number of a column, which is a new one if no row has named it yet.
  size_t Find(std::string_view column);
  /// Gives the row that is being read a value; false if it has one there already.
  bool Set(size_t column, std::string_view text);
  bool SetNull(size_t column) { return Take(column); }
  /// Ends a row; what was not set is null.
  void EndRow();
  size_t num_rows() const { return rows_; }
  const std::vector<std::string>& names() const { return names_; }

  Result<TableFile> Finish(const Workers& workers) &&;

 private:
  bool Take(size_t column);
  bool IsWanted(std::string_view column) const;
  const ReadOptions& options_;
  std::string name_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, size_t> numbers_;
  std::vector<std::optional<ColumnBuilder>> builders_;  // of columns that are wanted
  std::vector<std::optional<uint32_t>> current_;        // of the row that is being read
  std::vector<bool> set_;
  size_t rows_ = 0;
};

using RowReader = Status(const std::string& path, const ReadOptions& options, RowColumns& columns, TableFile& file);
RowReader ReadJsonRows;
RowReader ReadWorkbookRows;

}  // namespace tada
