#include "partition/ta_da/tree_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "partition/engine/splits/dense_counts.h"
#include "partition/mondrian/mondrian.h"
#include "testing/problems.h"
#include "testing/tables.h"

namespace tada {
namespace {

using Sets = std::set<std::set<int>>;

testing::ProblemParts Parts(const Table& table, Requirement requirement) {
  return testing::MakeProblem(table, {"Age", "State"}, {"Income"}, {"Job"}, requirement);
}

TreeOptions Multiway() {
  TreeOptions options;
  options.split = TreeOptions::Split::kMultiway;
  return options;
}

Groups Grow(const testing::ProblemParts& parts, TreeOptions options) {
  return std::move(MakeTreeStage(options)->Refine(parts.problem, Groups::Whole(parts.problem.table.num_rows())))
      .value();
}

Groups GrowThenMondrian(const testing::ProblemParts& parts, TreeOptions options) {
  return std::move(MakeMondrianStage({})->Refine(parts.problem, Grow(parts, options))).value();
}

TEST(Tree, GrowsTheTreeOfThePapersFigure) {
  const Table table = testing::RunningExample();
  const auto parts = Parts(table, {2, 2});
  EXPECT_EQ(testing::RowSets(Grow(parts, Multiway()), 1), (Sets{{2, 3}, {7, 11}, {1, 5, 8, 10}, {4, 6, 9}}));
  const std::string& text = parts.notes.sections.at(0).text;
  EXPECT_NE(text.find("State = CA and Age <= 40"), std::string::npos)
      << text;  // the printed threshold is a value of the table
  EXPECT_NE(text.find("State = MN\n"), std::string::npos) << text;
  EXPECT_NE(text.find("State = TX\n"), std::string::npos) << text;
}

TEST(Tree, ThenMondrianGivesThePapersRelease) {
  const Table table = testing::RunningExample();
  EXPECT_EQ(testing::RowSets(GrowThenMondrian(Parts(table, {2, 2}), Multiway()), 1),
            (Sets{{2, 3}, {7, 11}, {8, 10}, {1, 5}, {4, 6, 9}}));
}

TEST(Tree, WithKThreeLeavesCaliforniaWhole) {
  const Table table = testing::RunningExample();
  const Sets leaves{{1, 5, 8, 10}, {2, 3, 7, 11}, {4, 6, 9}};
  EXPECT_EQ(testing::RowSets(Grow(Parts(table, {3, 1}), Multiway()), 1), leaves);
  EXPECT_EQ(testing::RowSets(GrowThenMondrian(Parts(table, {3, 1}), Multiway()), 1), leaves);
}

TEST(Tree, TheTwelfthRowStaysWithTexas) {
  const Table table = testing::RunningExample(true);
  EXPECT_EQ(testing::RowSets(GrowThenMondrian(Parts(table, {2, 2}), Multiway()), 1),
            (Sets{{2, 3}, {7, 11}, {8, 10}, {1, 5}, {4, 6, 9, 12}}));
}

// The intermediate values behind DT-Anon's Fig. 4, by C4.5 Release 8.
TEST(Tree, GainsOfTheRunningExampleAreThePapers) {
  const Table table = testing::RunningExample();
  const auto parts = Parts(table, {2, 2});
  NodeRows rows(parts.problem, Groups::Whole(11));
  const std::vector<LabelView> labels = LabelViews(parts.problem, rows);
  LabelSplitSearch search(parts.problem, labels);
  ValueTable age, state;
  const Node root{0, 11, 0, 0, nullptr};
  age.Count(parts.problem, rows, root, 0, labels);
  state.Count(parts.problem, rows, root, 1, labels);
  SplitSides sides(parts.problem, labels);
  sides.Start(age);
  EXPECT_NEAR(sides.Impurity() / 11, 0.845351, 5e-7);
  const auto by_state = search.Multiway(state, 1);
  ASSERT_TRUE(by_state);
  EXPECT_NEAR(by_state->gain, 0.186704, 5e-7);
  EXPECT_NEAR(by_state->gain / by_state->split_info, 0.118722, 5e-7);
  const auto by_age = search.BestCut(age, 0);
  ASSERT_TRUE(by_age);
  EXPECT_NEAR(by_age->gain, 0.299896, 5e-7);
  EXPECT_EQ(table.column(0).text(by_age->below), "37");
  EXPECT_EQ(table.column(0).text(by_age->cut), "40");
  EXPECT_EQ(by_age->num_values, 9);  // reduction log2(8) / 11 = 0.272727

  NodeRows california(parts.problem, Groups::One({1, 2, 6, 10}));
  age.Count(parts.problem, california, {0, 4, 0, 0, nullptr}, 0, labels);
  EXPECT_NEAR(search.BestCut(age, 0)->gain, 1.0, 1e-12);
  EXPECT_EQ(search.BestCut(age, 0)->num_values, 4);  // reduction log2(3) / 4 = 0.396241
  NodeRows minnesota(parts.problem, Groups::One({0, 4, 7, 9}));
  age.Count(parts.problem, minnesota, {0, 4, 0, 0, nullptr}, 0, labels);
  EXPECT_NEAR(search.BestCut(age, 0)->gain, 0.311278, 5e-7);
}

using Pairs = std::vector<std::pair<Code, uint32_t>>;

Pairs ClassesOf(const ValueTable& table, const LabelView& label, size_t value) {
  Pairs pairs;
  table.ForEachClass(label, 0, value, [&](Code c, uint32_t rows) { pairs.emplace_back(c, rows); });
  return pairs;
}

Pairs SensitiveOf(const ValueTable& table, size_t value) {
  Pairs pairs;
  table.ForEachSensitive(0, value, [&](Code v, uint32_t rows) { pairs.emplace_back(v, rows); });
  return pairs;
}

void ExpectSame(const ValueTable& counted, const ValueTable& filled, const LabelView& label) {
  ASSERT_EQ(counted.size(), filled.size());
  for (size_t v = 0; v < counted.size(); ++v) {
    EXPECT_EQ(counted.code(v), filled.code(v));
    EXPECT_EQ(counted.rows(v), filled.rows(v));
    EXPECT_EQ(ClassesOf(counted, label, v), ClassesOf(filled, label, v));
    EXPECT_EQ(SensitiveOf(counted, v), SensitiveOf(filled, v));
  }
}

// Few classes or many; masks of sensitive values, or counts where masks do not do.
TEST(Tree, DenseAndSparseCountsAgree) {
  for (const int classes : {3, 40}) {
    std::string text = "Age State Job Income\n";
    for (int i = 0; i < 700; ++i) {
      text += fmt::format("{} s{} j{} {}\n", i * 37 % 101, i * 13 % 7, i * i % classes, i % 5);
    }
    const Table table = testing::MakeTable(text);
    for (const Requirement& requirement : {Requirement{5, 2}, Requirement{5, 2, Diversity::kEntropy}}) {
      const auto parts = Parts(table, requirement);
      NodeRows rows(parts.problem, Groups::Whole(700));
      const std::vector<LabelView> labels = LabelViews(parts.problem, rows);
      DenseCounts all(parts.problem, labels), part(parts.problem, labels);
      all.Add(rows, 0, 700);
      part.Add(rows, 0, 300);
      all.Subtract(part);
      for (uint32_t column = 0; column < 2; ++column) {
        ValueTable counted, filled;
        counted.Count(parts.problem, rows, {300, 700, 0, 0, nullptr}, column, labels);
        all.Fill(column, filled);
        ExpectSame(counted, filled, labels[0]);
        uint32_t first = 0;  // what the first value has, by hand
        for (uint32_t i = 300; i < 700; ++i) first += table.column(column).codes()[i] == counted.code(0) ? 1 : 0;
        EXPECT_EQ(counted.rows(0), first);
      }
    }
  }
}

TEST(Tree, CountsASmallNodeOfAColumnWithManyValues) {
  std::string text = "Age State Job Income\n";
  for (int i = 0; i < 60000; ++i) text += fmt::format("{} a j{} {}\n", i, i % 2, i % 3);
  const Table table = testing::MakeTable(text);
  const auto parts = Parts(table, {2, 2});
  const NodeRows rows(parts.problem, Groups::One({29000, 7, 14007, 7007, 28999}));
  const std::vector<LabelView> labels = LabelViews(parts.problem, rows);
  ValueTable counted;
  counted.Count(parts.problem, rows, {0, 5, 0, 0, nullptr}, 0, labels);
  ASSERT_EQ(counted.size(), 5);
  const std::vector<uint32_t> ages = {7, 7007, 14007, 28999, 29000};
  for (size_t v = 0; v < ages.size(); ++v) {
    EXPECT_EQ(table.column(0).text(counted.code(v)), fmt::to_string(ages[v]));
    EXPECT_EQ(counted.rows(v), 1);
    EXPECT_EQ(ClassesOf(counted, labels[0], v), (Pairs{{ages[v] % 2, 1}}));
    EXPECT_EQ(SensitiveOf(counted, v), (Pairs{{ages[v] % 3, 1}}));
  }
}

TEST(Tree, PruningMergesLeavesThatPredictTheSame) {
  std::string text = "Age State Job Income\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{} a {} {}\n", i, i == 7 ? "x" : "y", i % 4);
  const Table table = testing::MakeTable(text);
  TreeOptions options;
  const auto grown = Grow(Parts(table, {2, 1}), options);
  options.prune = 0.25;
  const auto pruned = Grow(Parts(table, {2, 1}), options);
  EXPECT_GT(grown.num_groups(), 1);
  EXPECT_EQ(pruned.num_groups(), 1);
}

TEST(Tree, ANumericLabelIsSplitBySquaredDeviation) {
  const Table table = testing::MakeTable("Age State Job Income\n1 a 10 x\n2 a 11 x\n3 b 50 x\n4 b 52 x\n5 b 51 x\n");
  auto parts = Parts(table, {2, 1});
  parts.problem.task = Task::kRegression;
  EXPECT_EQ(testing::RowSets(Grow(parts, {}), 1), (Sets{{1, 2}, {3, 4, 5}}));
}

// --- wide and awkward tables -----------------------------------------------------------------------------------------------

void ExpectLeavesHold(const testing::ProblemParts& parts, const Groups& leaves) {
  EXPECT_EQ(leaves.num_rows(), parts.problem.table.num_rows());
  for (GroupId leaf = 0; leaf < leaves.num_groups(); ++leaf) EXPECT_TRUE(parts.checker.Holds(leaves.rows(leaf)));
}

TEST(Tree, FindsTheColumnThatMattersAmongTwoHundred) {
  std::string text;
  std::vector<std::string> quasi;
  for (int c = 0; c < 200; ++c) {
    quasi.push_back(fmt::format("q{}", c));
    text += quasi.back() + (c % 2 == 0 ? " " : ":categorical ");
  }
  text += "s y:categorical\n";
  for (int i = 0; i < 600; ++i) {
    for (int c = 0; c < 200; ++c) text += fmt::format("{} ", c == 150 ? i % 10 : (i * (c + 3) + i / 7) % 13);
    text += fmt::format("{} {}\n", i / 10 % 4, i % 10 < 5 ? "low" : "high");
  }
  const Table table = testing::MakeTable(text);
  const auto parts = testing::MakeProblem(table, quasi, {"s"}, {"y"}, {10, 2});
  const Groups leaves = Grow(parts, {});
  EXPECT_EQ(leaves.num_groups(), 2);  // q150 tells the label by itself
  ExpectLeavesHold(parts, leaves);
  EXPECT_NE(parts.notes.sections.at(0).text.find("q150 <= 4"), std::string::npos) << parts.notes.sections[0].text;
}

TEST(Tree, TakesAColumnWithAHundredThousandNames) {
  std::string text = "Age:numeric State:categorical Job Income\n";
  for (int i = 0; i < 100000; ++i) text += fmt::format("7 v{} {} {}\n", i, i % 3 == 0 ? "a" : "b", i % 4);
  const Table table = testing::MakeTable(text);
  const auto parts = Parts(table, {10, 2});
  ExpectLeavesHold(parts, Grow(parts, {}));
  EXPECT_GE(Grow(parts, {}).num_groups(), 2);          // the names with one label against the others
  EXPECT_EQ(Grow(parts, Multiway()).num_groups(), 1);  // a child per name has one row
}

TEST(Tree, SplitsAThousandClassesApart) {
  std::string text = "Age State Job:categorical Income\n";
  for (int i = 0; i < 20000; ++i) text += fmt::format("{} same j{} {}\n", i % 1000, i % 1000, i / 1000 % 3);
  const Table table = testing::MakeTable(text);
  const auto parts = Parts(table, {20, 2});
  const Groups leaves = Grow(parts, {});
  EXPECT_EQ(leaves.num_groups(), 1000);  // 20 rows per class, and State, which is constant, is never cut
  ExpectLeavesHold(parts, leaves);
}

TEST(Tree, StaysWholeWhereNoSplitIsAdmissible) {
  std::string text = "Age State Job Income\n";
  for (int i = 0; i < 400; ++i) text += fmt::format("{} s{} {} {}\n", i, i % 7, i < 200 ? "a" : "b", i == 111 ? 2 : 1);
  const Table table = testing::MakeTable(text);  // one row has another income: two sides cannot both have two
  EXPECT_EQ(Grow(Parts(table, {2, 2}), {}).num_groups(), 1);
  EXPECT_EQ(Grow(Parts(table, {2, 2}), Multiway()).num_groups(), 1);
  EXPECT_GT(Grow(Parts(table, {2, 1}), {}).num_groups(), 1);
}

}  // namespace
}  // namespace tada
