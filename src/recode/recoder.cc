#include "recode/recoder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/random.h"

namespace tada {
namespace {

constexpr GroupId kNoGroup = UINT32_MAX;
constexpr size_t kAhead = 32;  // rows

// Numbers the different cells of a column as they come up.
class CellList {
 public:
  explicit CellList(ReleasedColumn& out) : out_(out) {}

  uint32_t Value(Code code) { return Find({Cell::Form::kValue, code, code, 0}); }
  uint32_t Interval(Code low, Code high) { return Find({Cell::Form::kInterval, low, high, 0}); }
  uint32_t Mask() { return Find({Cell::Form::kMask, 0, 0, 0}); }
  uint32_t Set(std::vector<Code> codes) {
    const auto [found, is_new] = sets_.try_emplace(std::move(codes), static_cast<uint32_t>(out_.cells.size()));
    if (is_new) {
      out_.sets.push_back(found->first);
      out_.cells.push_back(
          {Cell::Form::kSet, found->first.front(), found->first.back(), static_cast<uint32_t>(out_.sets.size() - 1)});
    }
    return found->second;
  }

 private:
  uint32_t Find(const Cell& cell) {
    const uint64_t key = cell.form == Cell::Form::kMask ? UINT64_MAX : (uint64_t{cell.low} << 32 | cell.high);
    const auto [found, is_new] = cells_.try_emplace(key, static_cast<uint32_t>(out_.cells.size()));
    if (is_new) out_.cells.push_back(cell);
    return found->second;
  }

  ReleasedColumn& out_;
  std::unordered_map<uint64_t, uint32_t> cells_;
  std::map<std::vector<Code>, uint32_t> sets_;
};

// A number that only somebody who has the table can compute.
uint64_t ContentKey(const Table& table, const std::vector<ColumnId>& aside) {
  uint64_t key = 0;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    if (std::ranges::find(aside, id) != aside.end()) continue;
    const Column& column = table.column(id);
    uint64_t hash = MixSeed(column.num_codes(), 0x7461646174616461ull);
    for (Code code = 0; code < column.num_codes(); ++code) {
      for (const char c : column.text(code)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
      hash = MixSeed(hash, code);
    }
    column.codes().Visit([&](auto codes) {
      for (const auto code : codes) hash = (hash ^ code) * 0xD6E8FEB86659FD93ull + (hash >> 32);
    });
    key = MixSeed(key ^ hash, 1);
  }
  return key;
}

std::vector<RowId> ReleaseOrder(const Table& table, const std::vector<GroupId>& group_of_row,
                                const RecodeOptions& options) {
  std::vector<RowId> order;
  order.reserve(group_of_row.size());
  for (RowId row = 0; row < group_of_row.size(); ++row) {
    if (group_of_row[row] != kNoGroup) order.push_back(row);
  }
  if (!options.keep_order) Random(MixSeed(options.seed, ContentKey(table, options.aside))).Shuffle(std::span(order));
  return order;
}

}  // namespace

ReleasedColumn RecodeColumn(const Table& table, ColumnId id, const Groups& groups) {
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
      if (groups.is_masked(group)) {
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
        cell = cells.Value(low);
      } else if (column.is_numeric()) {
        cell = column.is_missing(low) ? cells.Mask() : cells.Interval(low, high);
      } else {
        codes_of_group.clear();
        for (const RowId row : rows) codes_of_group.push_back(codes[row]);
        std::sort(codes_of_group.begin(), codes_of_group.end());
        codes_of_group.erase(std::unique(codes_of_group.begin(), codes_of_group.end()), codes_of_group.end());
        cell = cells.Set(codes_of_group);
      }
    }
  });
  return out;
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
  constexpr size_t kUnchanged = SIZE_MAX;
  std::vector<std::pair<ColumnId, size_t>> released;  // column, place among the quasi-identifiers
  released.reserve(table.num_columns());
  for (size_t i = 0; i < roles.quasi.size(); ++i) released.emplace_back(roles.quasi[i], i);
  for (const std::vector<ColumnId>* list : {&roles.sensitive, &roles.label, &roles.keep}) {
    for (const ColumnId id : *list) released.emplace_back(id, kUnchanged);
  }
  std::sort(released.begin(), released.end());
  release.columns.resize(released.size());
  workers.For(released.size() + 1, [&](size_t i) {
    if (i == released.size()) {
      release.row_order = ReleaseOrder(table, release.group_of_row, options);
      return;
    }
    const auto [id, index] = released[i];
    const Hierarchy* hierarchy = index < options.hierarchies.size() ? options.hierarchies[index] : nullptr;
    if (index == kUnchanged) {
      release.columns[i].source = id;
    } else if (hierarchy != nullptr) {
      release.columns[i] = RecodeByHierarchy(table, id, index, *hierarchy, groups);
    } else {
      release.columns[i] = RecodeColumn(table, id, groups);
    }
  });
  return release;
}

}  // namespace tada
