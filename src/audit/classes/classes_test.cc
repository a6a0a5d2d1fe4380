#include "audit/classes/classes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/random.h"
#include "table/column_builder.h"

namespace tada {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Table TableOf(const Rows& rows, size_t num_columns) {
  std::vector<Column> columns;
  for (size_t c = 0; c < num_columns; ++c) {
    ColumnBuilder builder(std::string(1, static_cast<char>('a' + c)), {.kind = Kind::kCategorical});
    for (const auto& row : rows) builder.AppendText(row[c]);
    columns.push_back(builder.Finish().value());
  }
  return Table(std::move(columns));
}

// By the definition: rows with the same texts, numbered as they first appear.
void ExpectTheClassesOf(const Rows& rows, std::span<const ColumnId> quasi, const Classes& classes) {
  std::map<std::vector<std::string>, uint32_t> numbers;
  std::vector<std::vector<RowId>> members;
  const std::vector<uint32_t> of_row = classes.OfRows();
  ASSERT_EQ(of_row.size(), rows.size());
  for (RowId row = 0; row < rows.size(); ++row) {
    std::vector<std::string> key;
    for (const ColumnId id : quasi) key.push_back(rows[row][id]);
    const auto [found, is_new] = numbers.emplace(key, static_cast<uint32_t>(numbers.size()));
    if (is_new) members.emplace_back();
    members[found->second].push_back(row);
    EXPECT_EQ(of_row[row], found->second) << "row " << row;
  }
  ASSERT_EQ(classes.count(), members.size());
  for (size_t index = 0; index < members.size(); ++index) {
    const auto found = classes.members(index);
    EXPECT_EQ(std::vector<RowId>(found.begin(), found.end()), members[index]);
  }
}

TEST(Classes, AreTheSameInAnyOrderOfRows) {
  Random random(7);
  for (int trial = 0; trial < 400; ++trial) {
    const size_t num_rows = random.Below(60), num_columns = 1 + random.Below(4), values = 1 + random.Below(4);
    Rows rows(num_rows, std::vector<std::string>(num_columns));
    for (auto& row : rows) {
      for (std::string& cell : row) cell = std::string(1, static_cast<char>('p' + random.Below(values)));
    }
    if (trial % 4 == 1 || trial % 4 == 3) std::sort(rows.begin(), rows.end());
    if (trial % 4 == 2) std::sort(rows.begin(), rows.end(), std::greater<>());  // another order, as that of numbers is
    if (trial % 4 == 3 && num_rows > 1) std::swap(rows[random.Below(num_rows)], rows[random.Below(num_rows)]);
    std::vector<ColumnId> quasi;
    for (ColumnId id = 0; id < num_columns; ++id) {
      if (random.Below(4) != 0) quasi.push_back(id);
    }
    if (random.Below(2) == 0) std::reverse(quasi.begin(), quasi.end());
    ExpectTheClassesOf(rows, quasi, FindClasses(TableOf(rows, num_columns), quasi, Workers(1 + trial % 3)));
  }
}

TEST(Classes, OfManyRowsAreFoundAcrossBlocks) {
  Rows rows;
  Random random(3);
  for (int row = 0; row < 70'000; ++row)
    rows.push_back({std::to_string(random.Below(900)), std::to_string(random.Below(7))});
  const std::vector<ColumnId> quasi = {0, 1};
  ExpectTheClassesOf(rows, quasi, FindClasses(TableOf(rows, 2), quasi, Workers(2)));
  std::sort(rows.begin(), rows.end());
  ExpectTheClassesOf(rows, quasi, FindClasses(TableOf(rows, 2), quasi, Workers(2)));
  std::rotate(rows.begin(), rows.begin() + 40, rows.end());  // the last class has rows at both ends
  ExpectTheClassesOf(rows, quasi, FindClasses(TableOf(rows, 2), quasi, Workers(2)));
}

}  // namespace
}  // namespace tada
