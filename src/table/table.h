#pragma once

// A table of people: columns of equal length. Values are decoded at the edges only; everything between works on codes.

#include <optional>
#include <string_view>
#include <vector>

#include "table/column.h"

namespace tada {

class Table {
 public:
  Table() = default;
  /// Pre: all columns have the same number of rows.
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {
    for (const Column& column : columns_) TADA_ASSERT(column.num_rows() == columns_.front().num_rows());
  }

  size_t num_rows() const { return columns_.empty() ? 0 : columns_.front().num_rows(); }
  ColumnId num_columns() const { return static_cast<ColumnId>(columns_.size()); }
  const Column& column(ColumnId id) const { return columns_[id]; }
  const std::vector<Column>& columns() const { return columns_; }

  std::optional<ColumnId> Find(std::string_view name) const {
    for (ColumnId id = 0; id < num_columns(); ++id) {
      if (columns_[id].name() == name) return id;
    }
    return std::nullopt;
  }

 private:
  std::vector<Column> columns_;
};

/// What the receiver will do with the data.
enum class Task { kNone, kClassification, kRegression, kClustering };

/// What the columns of a table are for. A column is in at most one list; one that is in none is never released.
struct Roles {
  std::vector<ColumnId> quasi;      ///< known to an attacker: widened
  std::vector<ColumnId> sensitive;  ///< protected by l, released as they are
  std::vector<ColumnId> label;      ///< what a model will predict, released as it is
  std::vector<ColumnId> keep;       ///< released unchanged
};

}  // namespace tada
