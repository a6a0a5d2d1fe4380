#include "attack/strangers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "base/random.h"
#include "table/select_rows.h"

namespace tada {

std::vector<RowId> SampleRows(size_t num_rows, uint64_t most, uint64_t seed) {
  std::vector<RowId> rows(num_rows);
  std::iota(rows.begin(), rows.end(), RowId{0});
  if (most == 0 || num_rows <= most) return rows;
  Random random(seed);
  random.Shuffle(std::span(rows));
  rows.resize(most);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Table MakeUpPeople(const Table& original, const std::vector<ColumnId>& quasi, uint64_t seed) {
  std::vector<Column> columns;
  std::vector<RowId> rows(original.num_rows());
  for (size_t q = 0; q < quasi.size(); ++q) {
    std::iota(rows.begin(), rows.end(), RowId{0});
    Random random(MixSeed(seed, q));
    random.Shuffle(std::span(rows));
    columns.push_back(original.column(quasi[q]).Select(rows));
  }
  return Table(std::move(columns));
}

Table FindOthers(const Table& population, const std::vector<ColumnId>& population_quasi, const Table& original,
                 const std::vector<ColumnId>& quasi) {
  const auto key = [](const Table& table, const std::vector<ColumnId>& columns, RowId row) {
    std::string text;
    for (const ColumnId id : columns) {
      const Column& column = table.column(id);
      const std::string_view value = column.text(column.codes()[row]);
      text += fmt::format("{}:{}", value.size(), value);
    }
    return text;
  };
  std::map<std::string, uint64_t> members;
  for (RowId row = 0; row < original.num_rows(); ++row) ++members[key(original, quasi, row)];
  std::vector<RowId> others;
  for (RowId row = 0; row < population.num_rows(); ++row) {
    const auto found = members.find(key(population, population_quasi, row));
    if (found != members.end() && found->second > 0) {
      --found->second;
    } else {
      others.push_back(row);
    }
  }
  return SelectRows(population, others);
}

}  // namespace tada
