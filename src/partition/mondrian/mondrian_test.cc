#include "partition/mondrian/mondrian.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testing/problems.h"
#include "testing/tables.h"

namespace tada {
namespace {

using testing::MakeProblem;
using testing::RowSets;

std::set<std::set<int>> Split(const Table& table, Requirement requirement, MondrianOptions options = {}) {
  testing::ProblemParts parts = MakeProblem(table, {"Age", "State"}, {"Income"}, {}, requirement);
  const auto groups = MakeMondrianStage(options)->Refine(parts.problem, Groups::Whole(table.num_rows()));
  return RowSets(*groups, 1);  // rows counted from 1, as the paper does
}

const Table& Example(bool by_appearance) {
  static const Table alphabetical = testing::RunningExample();
  static const Table appearance = testing::RunningExample(false, /*states_by_appearance=*/true);
  return by_appearance ? appearance : alphabetical;
}

TEST(Mondrian, GivesThePapersReleaseOnItsAxisOrder) {
  EXPECT_EQ(Split(Example(true), {2, 2}), (std::set<std::set<int>>{{1, 5, 8}, {2, 3, 10}, {4, 9}, {6, 7, 11}}));
}

TEST(Mondrian, GivesAnotherReleaseOnTheAlphabeticalOrder) {
  EXPECT_EQ(Split(Example(false), {2, 2}), (std::set<std::set<int>>{{2, 3}, {4, 9, 10}, {7, 11}, {6, 8}, {1, 5}}));
}

TEST(Mondrian, BalancedModeGivesThePapersReleaseToo) {
  MondrianOptions options;
  options.categorical = MondrianOptions::Categorical::kBalanced;
  EXPECT_EQ(Split(Example(false), {2, 2}, options),
            (std::set<std::set<int>>{{1, 5, 8}, {2, 3, 10}, {4, 9}, {6, 7, 11}}));
}

TEST(Mondrian, StopsWhenASplitWouldLoseDiversity) {
  const Table table = testing::MakeTable("Age State Income\n1 a x\n2 a x\n3 a y\n4 a y\n");
  EXPECT_EQ(Split(table, {2, 1}).size(), 2);
  EXPECT_EQ(Split(table, {2, 2}).size(), 1);
}

TEST(Mondrian, CutsASkewedColumnOnTheOtherSideOfItsMedian) {
  // The median is the smallest value: `< median` leaves nothing on the left, `<= median` works.
  const Table table = testing::MakeTable("Age State Income\n0 a x\n0 a y\n0 a x\n5 a y\n9 a x\n");
  EXPECT_EQ(Split(table, {2, 1}), (std::set<std::set<int>>{{1, 2, 3}, {4, 5}}));
}

TEST(Mondrian, FallsBackToTheNextColumn) {
  // Age is widest but its median cut leaves one row; State separates.
  const Table table = testing::MakeTable("Age State Income\n1 a x\n5 a y\n5 b x\n5 b y\n");
  EXPECT_EQ(Split(table, {2, 1}), (std::set<std::set<int>>{{1, 2}, {3, 4}}));
}

TEST(Mondrian, RelaxedDealsEqualRowsToBothSides) {
  const Table table = testing::MakeTable("Age State Income\n5 a x\n5 a y\n5 a x\n6 a y\n");
  EXPECT_EQ(Split(table, {2, 1}).size(), 1);
  MondrianOptions options;
  options.strict = false;
  EXPECT_EQ(Split(table, {2, 1}, options).size(), 2);
}

TEST(Mondrian, SeparatesMissingNumbersFirst) {
  const Table table = testing::MakeTable("Age State Income\n_ a x\n_ a y\n1 a x\n2 a y\n");
  EXPECT_EQ(Split(table, {2, 1}), (std::set<std::set<int>>{{1, 2}, {3, 4}}));
}

TEST(Mondrian, SurvivesATableThatSplitsOffTwoRowsAtATime) {
  std::string text = "Age State Income\n";
  for (int i = 0; i < 40000; ++i) text += fmt::format("{} a {}\n", 1 << (i % 28), i % 3);
  EXPECT_GT(Split(testing::MakeTable(text), {2, 1}).size(), 20);
}

}  // namespace
}  // namespace tada
