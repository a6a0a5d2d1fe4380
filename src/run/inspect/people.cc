#include "run/inspect/people.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/decimal.h"
#include "base/fault.h"
#include "base/option_mark.h"
#include "table/column_builder.h"
#include "table/column_doubt.h"

namespace tada {
namespace {

// A column whose codes are the numbers themselves.
Column NumberColumn(const std::string& name, std::span<const uint32_t> numbers, uint32_t count) {
  ColumnBuilder builder(name, {.kind = Kind::kCategorical, .missing = {}});
  for (uint32_t i = 0; i < count; ++i)
    builder.Intern(fmt::format("{:010}", i));  // sorted as texts as they are as numbers
  for (const uint32_t number : numbers) builder.Append(number);
  Result<Column> column = builder.Finish();
  TADA_ASSERT(column.ok());
  return std::move(column).value();
}

bool AllMissing(const Table& table, const std::vector<ColumnId>& columns, RowId row) {
  return std::ranges::all_of(columns,
                             [&](ColumnId id) { return table.column(id).is_missing(table.column(id).codes()[row]); });
}

std::vector<uint32_t> CodesOf(const Column& column) {
  std::vector<uint32_t> copy(column.num_rows());
  column.codes().Visit([&](auto codes) { std::copy(codes.begin(), codes.end(), copy.begin()); });
  return copy;
}

// The row whose code of a column is smallest, for each unit.
std::vector<RowId> SmallestRows(const Column& column, const std::vector<std::vector<RowId>>& rows_of_unit) {
  std::vector<RowId> smallest(rows_of_unit.size());
  column.codes().Visit([&](auto codes) {
    for (size_t unit = 0; unit < rows_of_unit.size(); ++unit) {
      smallest[unit] = *std::ranges::min_element(rows_of_unit[unit], {}, [&](RowId row) { return codes[row]; });
    }
  });
  return smallest;
}

// A row with the value that most of a unit's rows have, the smallest of those that are as frequent.
std::vector<RowId> CommonestRows(const Column& column, const std::vector<std::vector<RowId>>& rows_of_unit) {
  std::vector<RowId> commonest(rows_of_unit.size());
  std::vector<std::pair<Code, RowId>> values;
  for (size_t unit = 0; unit < rows_of_unit.size(); ++unit) {
    values.clear();
    for (const RowId row : rows_of_unit[unit]) values.emplace_back(column.value_id(column.codes()[row]), row);
    std::sort(values.begin(), values.end());
    size_t most = 0;
    for (size_t begin = 0, end = 0; begin < values.size(); begin = end) {
      while (end < values.size() && values[end].first == values[begin].first) ++end;
      if (end - begin > most) most = end - begin, commonest[unit] = values[begin].second;
    }
  }
  return commonest;
}

// What each unit has of a sensitive column: the marks, and the sets among them.
std::vector<Code> MarksOfUnits(const Column& column, const std::vector<std::vector<RowId>>& rows_of_unit,
                               CountedColumn& counted) {
  std::vector<Code> marks;
  marks.reserve(rows_of_unit.size());
  const std::vector<Code> value_of_code = counted.mark_of_code;
  std::map<std::vector<Code>, Code> known;
  std::vector<Code> values;
  for (const std::vector<RowId>& rows : rows_of_unit) {
    values.clear();
    for (const RowId row : rows) values.push_back(value_of_code[column.codes()[row]]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() == 1) {
      marks.push_back(values[0]);
      continue;
    }
    const auto [found, is_new] = known.try_emplace(values, counted.num_marks());
    if (is_new) counted.sets.push_back(values);
    marks.push_back(found->second);
  }
  return marks;
}

void NumberMarks(CountedColumn& counted) {
  counted.mark_of_code.resize(counted.num_marks());
  for (Code code = 0; code < counted.mark_of_code.size(); ++code) counted.mark_of_code[code] = code;
}

}  // namespace

uint32_t PeopleInSeveral(const Table& table, const std::vector<ColumnId>& person, ColumnId column) {
  const PeopleOfRows people = FindPeople(table, person);
  constexpr Code kNone = UINT32_MAX;
  std::vector<Code> first(people.count, kNone);
  std::vector<bool> several(people.count, false);
  for (RowId row = 0; row < people.of_row.size(); ++row) {
    Code& known = first[people.of_row[row]];
    const Code code = table.column(column).codes()[row];
    if (known == kNone) known = code;
    if (known != code) several[people.of_row[row]] = true;
  }
  return static_cast<uint32_t>(std::ranges::count(several, true));
}

PeopleOfRows FindPeople(const Table& table, const std::vector<ColumnId>& columns) {
  TADA_ASSERT(!columns.empty());
  PeopleOfRows people;
  people.of_row = CodesOf(table.column(columns[0]));
  people.count = table.column(columns[0]).num_codes();
  for (const ColumnId id : std::span(columns).subspan(1)) {  // numbers of the columns before, refined by this one
    const std::vector<uint32_t> codes = CodesOf(table.column(id));
    std::unordered_map<uint64_t, uint32_t> known;
    known.reserve(table.num_rows());
    for (RowId row = 0; row < codes.size(); ++row) {
      const uint64_t key = uint64_t{people.of_row[row]} << 32 | codes[row];
      people.of_row[row] = known.try_emplace(key, static_cast<uint32_t>(known.size())).first->second;
    }
    people.count = static_cast<uint32_t>(known.size());
  }
  // Once more: rows without a name get numbers of their own, and numbers follow the first rows.
  const bool all_named = std::ranges::any_of(columns, [&](ColumnId id) { return table.column(id).num_missing() == 0; });
  std::vector<uint32_t> number(people.count, UINT32_MAX);
  uint32_t count = 0;
  for (RowId row = 0; row < people.of_row.size(); ++row) {
    if (!all_named && AllMissing(table, columns, row)) {
      people.of_row[row] = count++;
      continue;
    }
    uint32_t& known = number[people.of_row[row]];
    if (known == UINT32_MAX) known = count++;
    people.of_row[row] = known;
  }
  people.count = count;
  return people;
}

Result<std::vector<uint64_t>> OwnKOfCodes(const Column& column) {
  std::vector<uint64_t> own_k(column.num_codes(), 0);
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    const auto number = ParseDecimal(column.text(code));
    if (number && number->places == 0 && number->digits > 0) {
      own_k[code] = number->digits;
      continue;
    }
    return DataError(TADA_OPTION("k-column={}") ": {} does not hold a whole number above 0", column.name(),
                     FirstPlace(column, code))
        .WithHint("Leave the cell empty where " TADA_OPTION("-k") " is enough.");
  }
  return own_k;
}

Result<std::vector<uint64_t>> OwnKOf(const Column& column, std::span<const Code> value_of_code, Code num_values) {
  TADA_TRY(own_k, OwnKOfCodes(column));
  std::vector<uint64_t> of_value(num_values, 0);
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) of_value[value_of_code[code]] = own_k[code];
  return of_value;
}

Workplace Workplace::OfRows(const Table& table, std::vector<CountedColumn> counted,
                            std::vector<std::vector<RowId>> parts) {
  Workplace place;
  place.table_ = &table;
  place.counted_ = std::move(counted);
  place.parts_ = std::move(parts);
  return place;
}

Workplace Workplace::OfUnits(const Table& table, const Roles& roles, std::vector<CountedColumn> counted_columns,
                             const PeopleOfRows& people, const std::vector<std::vector<RowId>>& parts) {
  Workplace place;
  for (const std::vector<RowId>& part : parts) {
    std::vector<uint32_t> unit_of(people.count, UINT32_MAX);
    std::vector<RowId>& units = place.parts_.emplace_back();
    for (const RowId row : part) {
      uint32_t& unit = unit_of[people.of_row[row]];
      if (unit == UINT32_MAX) {
        unit = static_cast<uint32_t>(place.rows_of_unit_.size());
        place.rows_of_unit_.emplace_back();
        units.push_back(unit);
      }
      place.rows_of_unit_[unit].push_back(row);
    }
  }
  std::vector<RowId> first_rows;
  for (const std::vector<RowId>& rows : place.rows_of_unit_) first_rows.push_back(rows.front());
  place.counted_ = std::move(counted_columns);
  std::vector<Column> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const Column& column = table.column(id);
    const auto counted = std::ranges::find(place.counted_, id, &CountedColumn::column);
    if (counted != place.counted_.end()) {
      const std::vector<Code> marks = MarksOfUnits(column, place.rows_of_unit_, *counted);
      NumberMarks(*counted);
      columns.push_back(NumberColumn(column.name(), marks, counted->num_marks()));
    } else if (std::ranges::find(roles.quasi, id) != roles.quasi.end()) {
      columns.push_back(column.Select(SmallestRows(column, place.rows_of_unit_)));
    } else if (std::ranges::find(roles.label, id) != roles.label.end()) {
      columns.push_back(column.Select(CommonestRows(column, place.rows_of_unit_)));
    } else {
      columns.push_back(column.Select(first_rows));
    }
  }
  place.made_ = Table(std::move(columns));
  return place;
}

Workplace Workplace::OfRowsApart(const Table& table, std::vector<CountedColumn> counted_columns,
                                 const PeopleOfRows& people, std::vector<std::vector<RowId>> parts) {
  Workplace place;
  place.parts_ = std::move(parts);
  std::vector<Column> columns(table.columns().begin(), table.columns().end());
  const auto add = [&](CountedColumn counted, std::span<const uint32_t> numbers) {
    counted.column = static_cast<ColumnId>(columns.size());
    NumberMarks(counted);
    columns.push_back(NumberColumn(fmt::format("(people {})", columns.size()), numbers, counted.num_values));
    place.counted_.push_back(std::move(counted));
  };
  add({.num_values = people.count}, people.of_row);
  for (CountedColumn& own : counted_columns) {
    if (!own.is_sensitive()) {
      place.counted_.push_back(std::move(own));
      continue;
    }
    const Column& column = table.column(own.column);
    std::unordered_map<uint64_t, uint32_t> known;
    std::vector<uint32_t> numbers(table.num_rows());
    CountedColumn counted{.missing = own.missing, .uncounted = own.uncounted};
    for (RowId row = 0; row < table.num_rows(); ++row) {
      const Code value = own.mark_of_code[column.codes()[row]];
      const uint64_t key = uint64_t{people.of_row[row]} << 32 | value;
      const auto [found, is_new] = known.try_emplace(key, static_cast<uint32_t>(known.size()));
      if (is_new) counted.pairs.push_back({people.of_row[row], value});
      numbers[row] = found->second;
    }
    counted.num_values = static_cast<Code>(known.size());
    add(std::move(counted), numbers);
  }
  place.made_ = Table(std::move(columns));
  return place;
}

void Workplace::SetLevels(const std::vector<std::optional<Hierarchy>>& hierarchies) {
  size_t next = 0;
  for (CountedColumn& counted : counted_) {
    if (counted.source == nullptr) continue;
    const std::optional<Hierarchy>& hierarchy = hierarchies[next++];
    for (uint32_t level = 0; hierarchy && level < hierarchy->top(); ++level) {
      const std::span<const Code> nodes = hierarchy->nodes(level);
      counted.levels.emplace_back(nodes.begin(), nodes.end());
    }
  }
}

std::vector<RowId> Workplace::ReferenceRowsOf(size_t part, ReferenceRows reference) const {
  if (reference == ReferenceRows::kController) return parts_[part];
  std::vector<RowId> rows;
  for (const std::vector<RowId>& other : parts_) rows.insert(rows.end(), other.begin(), other.end());
  return rows;
}

Groups Workplace::Expand(Groups groups) const {
  if (rows_of_unit_.empty()) return groups;
  std::vector<std::vector<RowId>> lists(groups.num_groups());
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    for (const RowId unit : groups.rows(group)) {
      lists[group].insert(lists[group].end(), rows_of_unit_[unit].begin(), rows_of_unit_[unit].end());
    }
  }
  if (TADA_FAULT("people-apart") && lists.size() > 1) {
    lists[1].push_back(lists[0].back());
    lists[0].pop_back();
  }
  Groups expanded = Groups::FromLists(lists);
  expanded.set_boxes(groups.boxes());
  if (groups.masked()) expanded.set_masked(*groups.masked());
  if (groups.num_groups() > 0 && groups.levels(0) != nullptr) expanded.set_levels(*groups.levels(0));
  return expanded;
}

}  // namespace tada
