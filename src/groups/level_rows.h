#pragma once

// Rows seen through hierarchies: what every row shows in every column at every level, and the classes that follow.
//   level vector   one level per column: a full-domain recoding. A column at its top level shows the root, hence nothing.
//   class          rows that show the same in every column; numbered from 0 in order of their first rows.
// Classes are refined column by column and are exact. Lowering a level splits classes and never joins them, so the smallest
// class never grows on the way down: every search over level vectors prunes by that.

#include <cstdint>
#include <span>
#include <vector>

#include "groups/groups.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"

namespace tada {

using LevelVector = std::vector<uint8_t>;

/// Rows in classes. `num_classes` numbers below it are all used.
struct LevelClasses {
  std::vector<uint32_t> of_row;
  uint32_t num_classes = 0;

  std::vector<uint32_t> Sizes() const;
  /// Rows of the smallest class; 0 if there are no rows.
  uint32_t Smallest() const;
};

class LevelRows {
 public:
  /// `hierarchies` has one per column, each bound to that column of the table. Rows are those of `rows`, in that order.
  LevelRows(const Table& table, std::span<const ColumnId> columns, std::span<const Hierarchy* const> hierarchies,
            std::span<const RowId> rows);

  size_t num_rows() const { return num_rows_; }
  size_t num_columns() const { return columns_.size(); }
  uint32_t num_levels(size_t column) const { return static_cast<uint32_t>(columns_[column].size()); }
  uint8_t top(size_t column) const { return static_cast<uint8_t>(columns_[column].size() - 1); }
  LevelVector Top() const;
  Code num_nodes(size_t column, uint32_t level) const { return columns_[column][level].num_nodes; }
  /// Nodes of the rows; may skip numbers of nodes that no row has.
  const Codes& nodes(size_t column, uint32_t level) const { return columns_[column][level].nodes; }
  /// The smallest number of rows that share a node of a column.
  uint32_t smallest_node(size_t column, uint32_t level) const { return columns_[column][level].smallest; }

  /// All rows in one class.
  LevelClasses OneClass() const;
  /// Splits classes by what a column shows. Gives up, and returns no rows in `out`, beyond `max_classes`.
  bool Refine(const LevelClasses& in, size_t column, uint32_t level, uint32_t max_classes, LevelClasses& out) const;
  /// The classes of a level vector; nothing in `out` and false if there are more than `max_classes`.
  bool FindClasses(std::span<const uint8_t> levels, uint32_t max_classes, LevelClasses& out) const;
  LevelClasses FindClasses(std::span<const uint8_t> levels) const;

 private:
  struct Level {
    Codes nodes;
    Code num_nodes = 0;
    uint32_t smallest = 0;
  };
  size_t num_rows_ = 0;
  std::vector<std::vector<Level>> columns_;
};

/// Classes as groups of `rows`, in the order of the classes.
Groups GroupsOf(const LevelClasses& classes, std::span<const RowId> rows);

}  // namespace tada
