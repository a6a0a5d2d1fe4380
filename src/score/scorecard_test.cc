#include "score/scorecard.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <numeric>

#include "testing/tables.h"

namespace tada {
namespace {

// Builds a release of `table` from one group number per row, with cells as releases have them; every column of `quasi`
// is recoded. Deliberately plain, and with one entry of `cells` a group, so that equal cells are not shared.
Release MakeRelease(const Table& table, const std::vector<ColumnId>& quasi, const std::vector<GroupId>& group_of_row) {
  Release release;
  release.table = &table;
  release.group_of_row = group_of_row;
  release.row_order.resize(table.num_rows());
  std::iota(release.row_order.begin(), release.row_order.end(), 0);
  for (const GroupId group : group_of_row) release.num_groups = std::max(release.num_groups, group + 1);
  for (const ColumnId id : quasi) {
    const Column& column = table.column(id);
    ReleasedColumn released;
    released.source = id;
    released.recoded = true;
    for (GroupId group = 0; group < release.num_groups; ++group) {
      std::map<Code, int> codes;
      for (RowId row = 0; row < group_of_row.size(); ++row) {
        if (group_of_row[row] == group) codes[column.codes()[row]] = 1;
      }
      Cell cell;
      if (codes.size() == 1) {
        cell = {Cell::Form::kValue, codes.begin()->first, codes.begin()->first, 0};
      } else if (!codes.empty() && !column.is_numeric()) {
        cell = {Cell::Form::kSet, 0, 0, static_cast<uint32_t>(released.sets.size())};
        released.sets.emplace_back();
        for (const auto& [code, one] : codes) released.sets.back().push_back(code);
      } else if (!codes.empty() && !column.is_missing(codes.begin()->first)) {
        cell = {Cell::Form::kInterval, codes.begin()->first, codes.rbegin()->first, 0};
      }
      released.cell_of_group.push_back(static_cast<uint32_t>(released.cells.size()));
      released.cells.push_back(cell);
    }
    release.columns.push_back(std::move(released));
  }
  return release;
}

const Workers& TwoWorkers() {
  static const Workers workers(2);
  return workers;
}

TEST(Scorecard, GivesTheNcpOfThePapersTargetAwareRelease) {
  const Table table = testing::RunningExample();
  const auto release = MakeRelease(table, testing::Ids(table, {"Age", "State"}), {0, 1, 1, 2, 0, 2, 3, 4, 2, 4, 3});
  const Scorecard score = Score(release, TwoWorkers());
  EXPECT_NEAR(score.ncp, 0.0875, 1e-12);
  EXPECT_EQ(score.groups, 5u);
  EXPECT_EQ(score.smallest_group, 2u);
  EXPECT_EQ(score.largest_group, 3u);
  EXPECT_EQ(score.discernibility, 4 * 4 + 9);
  EXPECT_DOUBLE_EQ(score.average_group, 11.0 / 5);
  EXPECT_EQ(score.group_sizes, (std::vector<std::pair<uint64_t, uint64_t>>{{2, 4}, {3, 1}}));
  ASSERT_EQ(score.per_column.size(), 2u);
  EXPECT_EQ(score.per_column[0].first, "Age");
  EXPECT_NEAR(score.per_column[0].second, 0.175, 1e-12);
  EXPECT_EQ(score.per_column[1].second, 0.0);
}

TEST(Scorecard, GivesTheNcpOfThePapersPlainMondrianRelease) {
  const Table table = testing::RunningExample();
  const auto release = MakeRelease(table, testing::Ids(table, {"Age", "State"}), {0, 1, 1, 2, 0, 3, 3, 0, 2, 1, 3});
  EXPECT_NEAR(Score(release, TwoWorkers()).ncp, 0.343182, 5e-7);
}

TEST(Scorecard, CountsGroupsWithEqualCellsAsOneClass) {
  const Table table = testing::MakeTable("age city\n20 A\n30 B\n20 A\n30 B\n40 C\n40 C\n");
  const Scorecard score = Score(MakeRelease(table, {0, 1}, {0, 0, 1, 1, 2, 2}), TwoWorkers());
  EXPECT_EQ(score.groups, 2u);
  EXPECT_EQ(score.largest_group, 4u);
  EXPECT_EQ(score.discernibility, 16 + 4);
}

TEST(Scorecard, CountsAMaskAsOneAndAConstantColumnAsZero) {
  const Table table = testing::MakeTable("age same\n20 x\n_ x\n40 x\n41 x\n");
  const Scorecard score = Score(MakeRelease(table, {0, 1}, {0, 0, 1, 1}), TwoWorkers());
  EXPECT_NEAR(score.per_column[0].second, (1 + 1 + 1.0 / 21 + 1.0 / 21) / 4, 1e-12);
  EXPECT_EQ(score.per_column[1].second, 0.0);
  EXPECT_EQ(score.masked_rows, 0u);  // the constant column still shows its value
}

TEST(Scorecard, CountsRowsWhoseEveryQuasiIdentifierIsMasked) {
  const Table table = testing::MakeTable("age income\n20 1\n_ _\n40 1\n41 2\n");
  EXPECT_EQ(Score(MakeRelease(table, {0, 1}, {0, 0, 1, 1}), TwoWorkers()).masked_rows, 2u);
}

TEST(Scorecard, TakesMissingAsAValueOfACategoryAndAsNothingOfANumber) {
  const Table table = testing::MakeTable("city age\nA _\n_ _\nB 5\nC 9\n");
  const Scorecard score = Score(MakeRelease(table, {0, 1}, {0, 0, 1, 1}), TwoWorkers());
  EXPECT_NEAR(score.per_column[0].second, 1.0 / 3, 1e-12);  // {"",A} and {B,C}: 2 of 4 values each
  EXPECT_NEAR(score.per_column[1].second, 0.5, 1e-12);      // only missing: 0; [5,9]: 1
}

TEST(Scorecard, CountsTheLeavesOfALabel) {
  const Table table = testing::MakeTable("city\nA\nB\nC\nD\nE\n");
  Release release = MakeRelease(table, {0}, {0, 0, 0, 1, 1});
  release.columns[0].labels = {"north", "south"};
  release.columns[0].cells = {{Cell::Form::kLabel, 0, 2, 0}, {Cell::Form::kLabel, 3, 4, 1}};
  release.columns[0].leaves = {3, 2};
  EXPECT_NEAR(Score(release, TwoWorkers()).ncp, (3 * 0.5 + 2 * 0.25) / 5, 1e-12);
}

TEST(Scorecard, CountsALabelThatIsAnIntervalByItsWidth) {
  const Table table = testing::MakeTable("age\n20\n21\n22\n23\n60\n");
  Release release = MakeRelease(table, {0}, {0, 0, 0, 0, 1});
  release.columns[0].cells = {{Cell::Form::kLabel, 0, 3, 0}, {Cell::Form::kLabel, 4, 4, 1}};
  release.columns[0].leaves = {4, 1};
  for (const auto& [young, old] : {std::pair("[20,30)", "[60,70)"), std::pair("20-30", "60-70")}) {
    release.columns[0].labels = {young, old};
    EXPECT_NEAR(Score(release, TwoWorkers()).ncp, 0.25, 1e-12) << young;
  }
  release.columns[0].labels = {"young", "old"};
  EXPECT_NEAR(Score(release, TwoWorkers()).ncp, 4 * 0.75 / 5, 1e-12);
}

TEST(Scorecard, CountsLeavesOverTheDomainWhereAColumnHasAHierarchy) {
  // city: north = {A,B,C}, south = {D}, one row masked; of 5 values: 3/5 three times, 0, 1. age has no hierarchy: spans.
  const Table table = testing::MakeTable("city age\nA 0\nB 5\nC 10\nD 0\nE 0\n");
  Release release = MakeRelease(table, {0, 1}, {0, 0, 0, 1, 2});
  EXPECT_FALSE(Score(release, TwoWorkers()).ncp_leaves);
  release.columns[0].labels = {"north", "south"};
  release.columns[0].cells = {{Cell::Form::kLabel, 0, 2, 0}, {Cell::Form::kLabel, 0, 0, 1}, {}};
  release.columns[0].leaves = {3, 1, 5};
  const Scorecard score = Score(release, TwoWorkers());
  ASSERT_TRUE(score.ncp_leaves);
  ASSERT_EQ(score.per_column_leaves.size(), 2u);
  EXPECT_NEAR(score.per_column_leaves[0].second, (3 * 0.6 + 0 + 1) / 5, 1e-12);
  EXPECT_NEAR(score.per_column_leaves[1].second, 3.0 / 5, 1e-12);
  EXPECT_NEAR(*score.ncp_leaves, (2.8 / 5 + 3.0 / 5) / 2, 1e-12);
  EXPECT_NEAR(score.per_column[0].second, (3 * 0.5 + 0 + 1) / 5, 1e-12);  // plain NCP is as it was
}

TEST(Scorecard, LeavesWithheldRowsOut) {
  const Table table = testing::MakeTable("age\n0\n10\n50\n100\n");
  Release release = MakeRelease(table, {0}, {0, 0, 1, 1});
  release.row_order = {1, 0};
  const Scorecard score = Score(release, TwoWorkers());
  EXPECT_NEAR(score.ncp, 0.1, 1e-12);
  EXPECT_EQ(score.groups, 1u);
}

TEST(Scorecard, SurvivesSpansBeyondTheLargestDouble) {
  const Table table = testing::MakeTable("x\n-1e308\n0\n1e308\n1.7e308\n");
  EXPECT_NEAR(Score(MakeRelease(table, {0}, {0, 0, 1, 1}), TwoWorkers()).ncp, (2 * 1.0 + 2 * 0.7) / 2.7 / 4, 1e-9);
}

TEST(Scorecard, ScoresAnEmptyReleaseAsNothing) {
  const Table table = testing::MakeTable("x\n1\n2\n");
  Release release = MakeRelease(table, {0}, {0, 0});
  release.row_order.clear();
  const Scorecard score = Score(release, TwoWorkers());
  EXPECT_EQ(score.ncp, 0.0);
  EXPECT_EQ(score.groups, 0u);
  EXPECT_EQ(score.average_group, 0.0);
}

// The definition, row by row, without any of the shortcuts.
TEST(Scorecard, AgreesWithTheDefinitionOnRandomTables) {
  EXPECT_TRUE(rc::check("score equals the definition", [] {
    const int rows = *rc::gen::inRange(1, 30);
    std::string text = "number name:categorical\n";
    std::vector<GroupId> groups;
    for (int i = 0; i < rows; ++i) {
      const int number = *rc::gen::inRange(-1, 6), name = *rc::gen::inRange(-1, 4);
      text += (number < 0 ? "_" : std::to_string(number)) + " " + (name < 0 ? "_" : std::to_string(name)) + "\n";
      groups.push_back(static_cast<GroupId>(*rc::gen::inRange(0, 6)));
    }
    const Table table = testing::MakeTable(text);
    const Release release = MakeRelease(table, {0, 1}, groups);
    double sum = 0;
    std::map<std::vector<Code>, uint64_t> classes;
    for (const RowId row : release.row_order) {
      std::vector<Code> shown;
      for (const ColumnId id : {ColumnId{0}, ColumnId{1}}) {
        const Column& column = table.column(id);
        std::map<Code, int> codes;
        for (RowId other = 0; other < groups.size(); ++other) {
          if (groups[other] == groups[row]) codes[column.codes()[other]] = 1;
        }
        const bool mixed = codes.size() > 1 && column.is_missing(codes.begin()->first);
        const Code first = codes.begin()->first, last = codes.rbegin()->first, top = column.num_codes() - 1;
        if (column.is_numeric() && mixed) {
          sum += 1;
          shown.push_back(999);
        } else if (column.is_numeric()) {
          if (first != last)
            sum += (column.number(last) - column.number(first)) /
                   (column.number(top) - column.number(column.num_missing()));
          shown.insert(shown.end(), {first, last});
        } else {
          if (column.num_codes() > 1) sum += static_cast<double>(codes.size() - 1) / (column.num_codes() - 1);
          for (const auto& [code, one] : codes) shown.push_back(code);
        }
        shown.push_back(1000);
      }
      ++classes[shown];
    }
    const Scorecard score = Score(release, TwoWorkers());
    RC_ASSERT(std::abs(score.ncp - sum / (2.0 * rows)) < 1e-9);
    RC_ASSERT(score.groups == classes.size());
    double squares = 0;
    for (const auto& [cells, size] : classes) squares += static_cast<double>(size * size);
    RC_ASSERT(score.discernibility == squares);
  }));
}

}  // namespace
}  // namespace tada
