#include "run/inspect/quasi_risk.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "testing/tables.h"

namespace tada {
namespace {

/// Columns of ever more values: the first two identify nobody, all of them nearly everybody.
Table Drawn(size_t rows) {
  Random random(7);
  std::string text = "a b c d person\n";
  for (size_t row = 0; row < rows; ++row) {
    text += fmt::format("{} {} {} {} p{}\n", random.Below(2), random.Below(9), random.Below(40), random.Below(3000),
                        random.Below(rows / 2));
  }
  return testing::MakeTable(text);
}

/// Members of the classes of these columns: rows, or people.
std::vector<std::set<uint32_t>> ClassesOf(const Table& table, const std::set<ColumnId>& quasi,
                                          const PeopleOfRows* people) {
  std::map<std::vector<Code>, std::set<uint32_t>> classes;
  for (RowId row = 0; row < table.num_rows(); ++row) {
    std::vector<Code> codes;
    for (const ColumnId id : quasi) codes.push_back(table.column(id).codes()[row]);
    classes[codes].insert(people != nullptr ? people->of_row[row] : row);
  }
  std::vector<std::set<uint32_t>> members;
  for (auto& [codes, found] : classes) members.push_back(std::move(found));
  return members;
}

uint64_t UniqueIn(const std::vector<std::set<uint32_t>>& classes) {
  std::set<uint32_t> alone;
  for (const auto& members : classes) {
    if (members.size() == 1) alone.insert(*members.begin());
  }
  return alone.size();
}

void ExpectCountedOneByOne(const Table& table, const std::vector<ColumnId>& quasi, const PeopleOfRows* people) {
  const std::set<ColumnId> chosen(quasi.begin(), quasi.end());
  const QuasiRisk risk = MeasureQuasiRisk(table, quasi, people, 5, true, Workers(2));
  const auto classes = ClassesOf(table, chosen, people);
  EXPECT_EQ(risk.unique, UniqueIn(classes));
  EXPECT_EQ(risk.classes, classes.size());
  uint64_t below = 0, pairs = 0, binned = 0;
  for (const auto& members : classes) {
    pairs += members.size();
    if (members.size() < 5) below += members.size();
  }
  for (const auto& bin : risk.sizes) binned += bin.members;
  EXPECT_EQ(risk.below_k, below);
  EXPECT_EQ(binned, pairs);
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    std::set<ColumnId> changed = chosen;
    if (changed.erase(id) == 0) changed.insert(id);
    EXPECT_EQ(risk.unique_if_changed[id], UniqueIn(ClassesOf(table, changed, people))) << "column " << id;
  }
}

TEST(QuasiRisk, CountsWhatCountingOneByOneDoes) {
  const Table table = Drawn(12'000);  // more than one part of keys
  for (const std::vector<ColumnId>& quasi : std::vector<std::vector<ColumnId>>{{}, {3}, {0, 1}, {0, 1, 2, 3}})
    ExpectCountedOneByOne(table, quasi, nullptr);
}

TEST(QuasiRisk, CountsPeopleWhereTheyHaveSeveralRows) {
  const Table table = Drawn(3'000);
  const PeopleOfRows people = FindPeople(table, {4});
  ASSERT_TRUE(people.repeated());
  for (const std::vector<ColumnId>& quasi : std::vector<std::vector<ColumnId>>{{}, {0, 1}, {0, 1, 2, 3}})
    ExpectCountedOneByOne(table, quasi, &people);
}

TEST(QuasiRisk, NobodyIsInATableWithoutRows) {
  const Table table = testing::MakeTable("a b\n");
  const QuasiRisk risk = MeasureQuasiRisk(table, {0}, nullptr, 5, true, Workers(1));
  EXPECT_EQ(risk.members, 0u);
  EXPECT_EQ(risk.unique, 0u);
  EXPECT_EQ(risk.unique_if_changed, (std::vector<uint64_t>{0, 0}));
}

}  // namespace
}  // namespace tada
