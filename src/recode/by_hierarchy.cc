#include "base/fault.h"
#include "recode/hierarchy_cells.h"
#include "recode/recoder.h"

namespace tada {
namespace {

// The lowest level from `level` on at which all rows of a group show the same.
template <class T>
uint32_t LowestCommonLevel(const Hierarchy& hierarchy, std::span<const T> codes, std::span<const RowId> rows,
                           uint32_t level) {
  for (const RowId row : rows) {
    while (hierarchy.node(level, codes[row]) != hierarchy.node(level, codes[rows[0]])) ++level;  // the root ends it
  }
  return level;
}

}  // namespace

ReleasedColumn RecodeByHierarchy(const Table& table, ColumnId id, size_t index, const Hierarchy& hierarchy,
                                 const Groups& groups, const RareValues& rare) {
  const Column& column = table.column(id);
  ReleasedColumn out;
  out.source = id;
  out.recoded = true;
  out.cell_of_group.resize(groups.num_groups());
  HierarchyCells cells(column, hierarchy, rare, out);
  column.codes().Visit([&](auto codes) {
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      const std::span<const RowId> rows = groups.rows(group);
      const bool masked = groups.is_masked(group);
      const std::vector<uint8_t>* levels = groups.levels(group);
      using T = std::remove_const_t<typename decltype(codes)::value_type>;
      // Rows of one person stay together though they show different things at the method's level: then a higher one serves.
      const uint32_t lowest = levels != nullptr ? (*levels)[index] : 0;
      const uint32_t level = masked ? 0 : LowestCommonLevel<T>(hierarchy, std::span<const T>(codes), rows, lowest);
      if (TADA_FAULT("recode-label") && !masked && level > 0) {
        out.cell_of_group[group] = cells.At(level - 1, hierarchy.node(level - 1, codes[rows[0]]));
        continue;
      }
      out.cell_of_group[group] = masked ? cells.Mask() : cells.At(level, hierarchy.node(level, codes[rows[0]]));
    }
  });
  return out;
}

}  // namespace tada
