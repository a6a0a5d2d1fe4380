#include "run/anonymize/group_rows.h"

#include <algorithm>
#include <tuple>

namespace tada {
namespace {

bool Alike(const Column& column, std::span<const RowId> rows) {
  return std::ranges::all_of(
      rows, [&](RowId row) { return column.same_value(column.codes()[row], column.codes()[rows[0]]); });
}

/// Few rows, and among those of about the same size the one with most columns that differ.
GroupId MostTelling(const Table& table, const Anonymized& made) {
  GroupId best = 0;
  std::tuple<size_t, size_t> least{SIZE_MAX, SIZE_MAX};
  constexpr GroupId kMostLookedAt = 2000;
  for (GroupId group = 0; group < std::min(made.groups.num_groups(), kMostLookedAt); ++group) {
    const std::span<const RowId> rows = made.groups.rows(group);
    if (rows.empty() || made.groups.is_masked(group)) continue;
    size_t alike = 0;
    for (const ColumnId id : made.bound.roles.quasi) alike += Alike(table.column(id), rows) ? 1 : 0;
    const size_t too_plain = alike + 2 > made.bound.roles.quasi.size() ? 1000 : 0;
    const std::tuple<size_t, size_t> badness{rows.size() + too_plain, alike};
    if (badness < least) std::tie(least, best) = std::tuple{badness, group};
  }
  return best;
}

std::string RoleOf(const Roles& roles, ColumnId id) {
  const auto has = [&](const std::vector<ColumnId>& ids) { return std::ranges::find(ids, id) != ids.end(); };
  return has(roles.quasi) ? "quasi" : has(roles.sensitive) ? "sensitive" : has(roles.label) ? "label" : "keep";
}

}  // namespace

Result<GroupRows> RowsOfGroup(const Table& table, const Anonymized& made, uint64_t number, size_t most_rows) {
  const GroupId groups = made.groups.num_groups();
  if (number > groups || groups == 0)
    return InvalidArgument("There is no group {}: the release has {}", number, groups);
  const GroupId group = number == 0 ? MostTelling(table, made) : static_cast<GroupId>(number - 1);
  const std::span<const RowId> rows = made.groups.rows(group);
  GroupRows found{.group = uint64_t{group} + 1, .groups = groups, .size = rows.size()};
  for (const ReleasedColumn& released : made.release.columns) {
    const Column& column = table.column(released.source);
    GroupRows::Column told{
        .name = column.name(), .role = RoleOf(made.bound.roles, released.source), .alike = Alike(column, rows)};
    if (released.recoded) {
      const GroupId shown = made.release.group_of_row[rows[0]];
      told.after = CellText(column, released, released.cells[released.cell_of_group[shown]]);
    }
    found.columns.push_back(std::move(told));
  }
  for (const RowId row : rows.first(std::min(most_rows, rows.size()))) {
    found.before.emplace_back();
    for (const ReleasedColumn& released : made.release.columns) {
      const Column& column = table.column(released.source);
      found.before.back().emplace_back(column.text(column.codes()[row]));
    }
  }
  return found;
}

}  // namespace tada
