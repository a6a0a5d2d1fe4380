#include <algorithm>
#include <map>

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

// What a node looks like: a value or an interval where its label says nothing else, so that typed files hold numbers.
Cell CellOf(const Column& column, const Hierarchy& hierarchy, uint32_t level, Code node, ReleasedColumn& out) {
  const std::string& label = hierarchy.label(level, node);
  const Code low = hierarchy.low(level, node), high = hierarchy.high(level, node);
  if (level == 0 || label == column.text(low)) return {Cell::Form::kValue, low, low, 0};
  if (label == "*") return {Cell::Form::kMask, 0, 0, 0};
  if (hierarchy.is_interval(level, node)) return {Cell::Form::kInterval, low, high, 0};
  out.labels.push_back(label);
  return {Cell::Form::kLabel, low, high, static_cast<uint32_t>(out.labels.size() - 1)};
}

}  // namespace

ReleasedColumn RecodeByHierarchy(const Table& table, ColumnId id, size_t index, const Hierarchy& hierarchy,
                                 const Groups& groups) {
  const Column& column = table.column(id);
  ReleasedColumn out;
  out.source = id;
  out.recoded = true;
  out.cell_of_group.resize(groups.num_groups());
  std::map<std::pair<uint32_t, Code>, uint32_t> cell_of_node;
  const auto cell_at = [&](uint32_t level, Code node, bool masked) {
    const auto key = masked ? std::pair(UINT32_MAX, Code{0}) : std::pair(level, node);
    const auto [found, is_new] = cell_of_node.try_emplace(key, static_cast<uint32_t>(out.cells.size()));
    if (is_new) {
      out.cells.push_back(masked ? Cell{} : CellOf(column, hierarchy, level, node, out));
      out.leaves.push_back(masked ? column.num_values() : hierarchy.leaves(level, node));
    }
    return found->second;
  };
  column.codes().Visit([&](auto codes) {
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      const std::span<const RowId> rows = groups.rows(group);
      const bool masked = groups.is_masked(group);
      const std::vector<uint8_t>* levels = groups.levels(group);
      using T = std::remove_const_t<typename decltype(codes)::value_type>;
      // Rows of one person stay together though they show different things at the method's level: then a higher one serves.
      const uint32_t lowest = levels != nullptr ? (*levels)[index] : 0;
      const uint32_t level = masked ? 0 : LowestCommonLevel<T>(hierarchy, std::span<const T>(codes), rows, lowest);
      out.cell_of_group[group] = cell_at(level, hierarchy.node(level, codes[rows[0]]), masked);
    }
  });
  return out;
}

}  // namespace tada
