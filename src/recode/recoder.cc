#include "recode/recoder.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/fault.h"
#include "recode/canonical_order.h"
#include "recode/cell_list.h"

namespace tada {
namespace {

constexpr GroupId kNoGroup = UINT32_MAX;
constexpr size_t kAhead = 32;  // rows

std::vector<RowId> RowsInGroups(const std::vector<GroupId>& group_of_row) {
  std::vector<RowId> rows;
  rows.reserve(group_of_row.size());
  for (RowId row = 0; row < group_of_row.size(); ++row) {
    if (group_of_row[row] != kNoGroup) rows.push_back(row);
  }
  return rows;
}

// Shows single values only, and one mask instead of everything else.
void MaskWidened(ReleasedColumn& column) {
  std::vector<Cell> cells;
  std::vector<Code> leaves;
  std::vector<uint32_t> becomes(column.cells.size());
  std::optional<uint32_t> mask;
  for (size_t i = 0; i < column.cells.size(); ++i) {
    const bool single = column.cells[i].form == Cell::Form::kValue;
    if (!single && mask) {
      becomes[i] = *mask;
      continue;
    }
    becomes[i] = static_cast<uint32_t>(cells.size());
    if (!single) mask = becomes[i];
    cells.push_back(single ? column.cells[i] : Cell{});
    if (!column.leaves.empty()) leaves.push_back(column.leaves[i]);
  }
  for (uint32_t& cell : column.cell_of_group) cell = becomes[cell];
  column.cells = std::move(cells);
  column.leaves = std::move(leaves);
  column.sets.clear();
  column.labels.clear();
}

}  // namespace

ReleasedColumn RecodeColumn(const Table& table, ColumnId id, const Groups& groups, const RareValues& rare) {
  const Column& column = table.column(id);
  ReleasedColumn out;
  out.source = id;
  out.recoded = true;
  out.cell_of_group.resize(groups.num_groups());
  CellList cells(out);
  std::vector<Code> codes_of_group;
  const RowId* const end = groups.order().data() + groups.order().size();
  column.codes().Visit([&](auto codes) {
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      uint32_t& cell = out.cell_of_group[group];
      if (groups.is_masked(group) && !TADA_FAULT("recode-mask")) {
        cell = cells.Mask();
        continue;
      }
      const std::span<const RowId> rows = groups.rows(group);
      if (rows.data() + rows.size() + kAhead < end) {  // the next groups' codes are asked for before they are needed
        for (size_t i = 0; i < rows.size(); ++i) __builtin_prefetch(&codes[rows.data()[i + kAhead]]);
      }
      Code low = codes[rows[0]], high = low;
      for (const RowId row : rows) {
        low = std::min<Code>(low, codes[row]);
        high = std::max<Code>(high, codes[row]);
      }
      if (low == high) {
        cell = rare.Has(low) ? cells.Mask() : cells.Value(low);
      } else if (column.is_numeric()) {
        if (TADA_FAULT("recode-interval")) --high;
        cell = column.is_missing(low) ? cells.Mask() : cells.Interval(low, high);
      } else {
        codes_of_group.clear();
        for (const RowId row : rows) codes_of_group.push_back(codes[row]);
        std::sort(codes_of_group.begin(), codes_of_group.end());
        codes_of_group.erase(std::unique(codes_of_group.begin(), codes_of_group.end()), codes_of_group.end());
        if (TADA_FAULT("recode-set")) codes_of_group.pop_back();
        cell = rare.HasAny(codes_of_group) ? cells.Mask() : cells.Set(codes_of_group);
      }
    }
  });
  return out;
}

ReleasedColumn RecodeQuasi(const Table& table, ColumnId id, size_t index, const Groups& groups,
                           const RecodeOptions& options) {
  const Hierarchy* hierarchy = index < options.hierarchies.size() ? options.hierarchies[index] : nullptr;
  const DomainBounds* domain = index < options.domains.size() ? options.domains[index] : nullptr;
  const RareValues rare(table.column(id), options.min_member);
  if (groups.has_boxes()) return RecodeByBox(table, id, index, hierarchy, domain, groups, rare);
  if (hierarchy != nullptr) return RecodeByHierarchy(table, id, index, *hierarchy, groups, rare);
  return RecodeColumn(table, id, groups, rare);
}

Release Recode(const Table& table, const Roles& roles, const Groups& groups, const RecodeOptions& options,
               const Workers& workers) {
  Release release;
  release.table = &table;
  release.num_groups = groups.num_groups();
  release.group_of_row.assign(table.num_rows(), kNoGroup);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    for (const RowId row : groups.rows(group)) release.group_of_row[row] = group;
  }
  if (TADA_FAULT("recode-group") && groups.num_groups() > 1) release.group_of_row[groups.rows(0)[0]] = 1;
  constexpr size_t kUnchanged = SIZE_MAX;
  std::vector<std::pair<ColumnId, size_t>> released;  // column, place among the quasi-identifiers
  released.reserve(table.num_columns());
  for (size_t i = 0; i < roles.quasi.size(); ++i) released.emplace_back(roles.quasi[i], i);
  for (const std::vector<ColumnId>* list : {&roles.sensitive, &roles.label, &roles.keep}) {
    for (const ColumnId id : *list) released.emplace_back(id, kUnchanged);
  }
  std::sort(released.begin(), released.end());
  release.columns.resize(released.size());
  std::vector<ColumnId> unchanged;
  for (const auto& [id, index] : released) {
    if (index == kUnchanged) unchanged.push_back(id);
  }
  workers.For(released.size() + 1, [&](size_t i) {
    if (i == released.size()) {
      release.row_order = RowsInGroups(release.group_of_row);
      if (!options.keep_order) SortByValues(table, unchanged, release.row_order);
      return;
    }
    const auto [id, index] = released[i];
    if (index == kUnchanged) {
      release.columns[i].source = id;
    } else if (!options.given.empty()) {
      release.columns[i] = options.given[index];
    } else if (options.several == RecodeOptions::Several::kMean) {
      release.columns[i] = RecodeByMean(table, id, groups);
    } else {
      release.columns[i] = RecodeQuasi(table, id, index, groups, options);
    }
    if (options.several == RecodeOptions::Several::kMask && index != kUnchanged) MaskWidened(release.columns[i]);
  });
  if (!options.keep_order && !TADA_FAULT("recode-order")) SortByCells(release, workers, release.row_order);
  return release;
}

}  // namespace tada
