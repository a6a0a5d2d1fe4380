#include "run/bind/canonical_rows.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "partition/registry.h"
#include "table/radix_sort.h"
#include "table/select_rows.h"

namespace tada {
namespace {

void SortBy(const Table& table, const std::vector<ColumnId>& columns, std::vector<RowId>& rows) {
  for (size_t i = columns.size(); i-- > 0;) {
    const Column& column = table.column(columns[i]);
    column.codes().Visit(
        [&](auto codes) { RadixSort(rows, column.num_codes(), [&](RowId row) { return codes[row]; }); });
  }
}

// For each place in `rows`, whether the row there differs from the one before it in one of the columns.
std::vector<uint8_t> FindBegins(const Table& table, const std::vector<ColumnId>& columns,
                                const std::vector<RowId>& rows) {
  std::vector<uint8_t> begins(rows.size(), 0);
  if (!begins.empty()) begins[0] = 1;
  for (const ColumnId id : columns) {
    table.column(id).codes().Visit([&](auto codes) {
      for (size_t i = 1; i < rows.size(); ++i) {
        if (codes[rows[i]] != codes[rows[i - 1]]) begins[i] = 1;
      }
    });
  }
  return begins;
}

// Rows [begin, end) look alike to an attacker: puts them in an order that follows from the seed, which of them are equal in
// the rest, and nothing else. Pre: they are sorted by the rest, and `differs` says where it changes.
void Mix(std::span<RowId> rows, std::span<const uint8_t> differs, uint64_t seed) {
  struct Place {
    uint64_t key;
    uint32_t at;
  };
  std::vector<Place> places(rows.size());
  uint64_t value = 0, times = 0;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && differs[i] != 0) ++value, times = 0;
    places[i] = {MixSeed(MixSeed(seed, value), times++), i};
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.key != b.key ? a.key < b.key : a.at < b.at; });
  const std::vector<RowId> sorted(rows.begin(), rows.end());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = sorted[places[i].at];
}

}  // namespace

std::vector<RowId> CanonicalRows(const Table& table, const BoundPlan& bound, uint64_t seed, bool by_quasi_alone) {
  std::vector<ColumnId> known = bound.roles.quasi, rest;
  if (bound.controller_column) known.insert(known.begin(), *bound.controller_column);
  for (const std::vector<ColumnId>* list : {&bound.roles.sensitive, &bound.roles.label, &bound.roles.keep}) {
    rest.insert(rest.end(), list->begin(), list->end());
  }
  if (by_quasi_alone) rest.clear();
  std::vector<RowId> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), RowId{0});
  SortBy(table, rest, rows);
  SortBy(table, known, rows);
  const std::vector<uint8_t> begins = FindBegins(table, known, rows), differs = FindBegins(table, rest, rows);
  for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    for (end = begin + 1; end < rows.size() && begins[end] == 0;) ++end;
    if (end - begin < 2) continue;
    Mix(std::span(rows).subspan(begin, end - begin), std::span(differs).subspan(begin, end - begin), seed);
  }
  return rows;
}

bool ComparesDistributions(const Plan& plan) {
  return ComparesDistributions(plan.requirement) ||
         std::ranges::any_of(plan.controller_requirements,
                             [](const auto& of_controller) { return ComparesDistributions(of_controller.second); });
}

std::optional<std::vector<RowId>> RowsAsSeen(const Table& table, const Plan& plan, const BoundPlan& bound) {
  const MethodEntry& method = *FindMethod(bound.method);
  const MethodContext context{bound.task, plan.method_options, ComparesDistributions(plan)};
  const RowOrder order = method.row_order == nullptr ? RowOrder::kIgnored : method.row_order(context);
  if (order == RowOrder::kInput || (order == RowOrder::kIgnored && plan.controllers < 2)) return std::nullopt;
  return CanonicalRows(table, bound, plan.seed, plan.safe > 0);
}

OrderedTable::OrderedTable(const Table& table, const Plan& plan, const BoundPlan& bound) : table_(table) {
  auto rows = RowsAsSeen(table, plan, bound);
  if (!rows) return;
  names_ = *std::move(rows);
  ordered_ = SelectRows(table, names_);
}

void OrderedTable::Rename(Groups& groups, std::vector<Controller>& controllers) const {
  if (!ordered_) return;
  groups.RenameRows(names_);
  for (Controller& controller : controllers) {
    for (RowId& row : controller.rows) row = names_[row];
    std::sort(controller.rows.begin(), controller.rows.end());
  }
}

}  // namespace tada
