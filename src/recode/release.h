#pragma once

// A release in memory: what the finished file will say, still in codes.
//   cell      what a group shows in one column: a value, an interval, a set, a label of a hierarchy, or `*`.
//   position  where a row stands in the released file; row_order maps positions to input rows.
// Built by recode/recoder.h, written by files/, scored by score. The audit never sees it: it reads the file.

#include <memory>
#include <string>
#include <vector>

#include "table/table.h"

namespace tada {

struct Cell {
  enum class Form : uint8_t {
    kValue,     ///< `low` is the only code
    kInterval,  ///< from `low` to `high`, both numbers
    kSet,       ///< the codes of sets[index]
    kLabel,     ///< labels[index] of a hierarchy, which stands for codes from `low` to `high`, perhaps not all
    kMask,      ///< anything
  };
  Form form = Form::kMask;
  Code low = 0, high = 0;
  uint32_t index = 0;
};

struct ReleasedColumn {
  ColumnId source = 0;                  ///< in the table
  bool recoded = false;                 ///< false: every row shows its own value, the lists below are empty
  std::vector<Cell> cells;              ///< the different cells
  std::vector<uint32_t> cell_of_group;  ///< for each group, an index into `cells`
  std::vector<std::vector<Code>> sets;  ///< sorted codes
  std::vector<std::string> labels;
  std::vector<Code> leaves;  ///< of each cell, how many of the column's values it stands for; empty without a hierarchy
  /// Of numbers released as boxes (--range cut): the bounds that are shown, a dictionary of its own. Null: bounds are values.
  std::shared_ptr<const Column> bounds = {};

  /// The column whose codes the values and intervals of `cells` are; `column` is the source.
  const Column& shown(const Column& column) const { return bounds == nullptr ? column : *bounds; }
  const Column& shown(Column&&) const = delete;
};

struct Release {
  const Table* table = nullptr;
  std::vector<ReleasedColumn> columns;  ///< in the order of the input's columns
  std::vector<GroupId> group_of_row;    ///< by input row
  std::vector<RowId> row_order;         ///< by position; rows that are withheld are not in it
  GroupId num_groups = 0;
};

/// A cell as it is released (docs/formats.md): `34`, `[20,30]`, `{CA,MN}`, `*`; elements of a set quoted where needed.
std::string CellText(const Column& column, const ReleasedColumn& released, const Cell& cell);

/// An element of a released set, quoted with backslash escapes if it is empty, or has a comma, brace, quote, backslash or
/// outer blank.
std::string SetElementText(std::string_view value);

/// A single value where cells are texts that will be read again: itself, or a set of one if it would be read as something else,
/// as the grade `A*` or the name `{x}` would.
std::string SingleCellText(std::string_view value);

}  // namespace tada
