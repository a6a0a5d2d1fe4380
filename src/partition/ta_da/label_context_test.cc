#include "partition/ta_da/label_context.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "partition/engine/splits/label_split.h"
#include "partition/ta_da/tree_stage.h"
#include "testing/problems.h"

namespace tada {
namespace {

using Split = TreeOptions::Split;

Groups Grow(const testing::ProblemParts& parts, TreeOptions options) {
  return MakeTreeStage(options)->Refine(parts.problem, Groups::Whole(parts.problem.table.num_rows())).value();
}

// Whether every leaf has rows of one value of the column only.
bool SplitBy(const testing::ProblemParts& parts, const Groups& leaves, ColumnId column) {
  for (GroupId leaf = 0; leaf < leaves.num_groups(); ++leaf) {
    for (const RowId row : leaves.rows(leaf)) {
      const Codes& codes = parts.problem.table.column(column).codes();
      if (codes[row] != codes[leaves.rows(leaf)[0]]) return false;
    }
  }
  return leaves.num_groups() > 1;
}

void Append(std::string& text, int times, std::string_view line) {
  for (int i = 0; i < times; ++i) text += fmt::format("{}\n", line);
}

// `a` is the sensitive value over again, and tells most about the label by itself; `b` tells what the sensitive value does not.
TEST(ConditionalTree, AsksWhatTheSensitiveValueDoesNotTell) {
  std::string text = "a b s y\n";
  Append(text, 10, "a0 b0 s0 no");
  Append(text, 4, "a0 b1 s0 yes");
  Append(text, 6, "a0 b1 s0 no");
  Append(text, 10, "a1 b0 s1 yes");
  Append(text, 6, "a1 b1 s1 yes");
  Append(text, 4, "a1 b1 s1 no");
  const Table table = testing::MakeTable(text);
  const auto parts = testing::MakeProblem(table, {"a", "b"}, {"s"}, {"y"}, {20, 1});
  EXPECT_TRUE(SplitBy(parts, Grow(parts, {}), 0));
  const Groups leaves = Grow(parts, {.split = Split::kConditional});
  EXPECT_TRUE(SplitBy(parts, leaves, 1));
  EXPECT_FALSE(SplitBy(parts, leaves, 0));
}

TEST(ConditionalTree, LookingAheadFindsColumnsThatTellTheLabelTogether) {
  std::string text = "a b s y\n";
  Append(text, 10, "a0 b0 s0 no");
  Append(text, 10, "a0 b1 s0 yes");
  Append(text, 10, "a1 b0 s0 yes");
  Append(text, 10, "a1 b1 s0 no");
  const Table table = testing::MakeTable(text);
  const auto parts = testing::MakeProblem(table, {"a", "b"}, {}, {"y"}, {10, 1});
  for (const Split split : {Split::kBinary, Split::kConditional}) {
    EXPECT_EQ(Grow(parts, {.split = split}).num_groups(), 1U);  // neither column says anything alone
    EXPECT_EQ(Grow(parts, {.split = split, .lookahead = true}).num_groups(), 4U);
  }
}

TEST(ConditionalTree, ClassWeightsLetARareClassCount) {
  std::string text = "a b s y\n";
  Append(text, 33, "a0 b0 s0 p");  // `a` separates the two large classes somewhat,
  Append(text, 15, "a1 b0 s0 p");
  Append(text, 15, "a0 b0 s0 q");
  Append(text, 17, "a1 b0 s0 q");
  Append(text, 8, "a0 b1 s0 q");  // `b` has all of the small one
  Append(text, 8, "a1 b1 s0 q");
  Append(text, 2, "a0 b1 s0 r");
  Append(text, 2, "a1 b1 s0 r");
  const Table table = testing::MakeTable(text);
  const auto parts = testing::MakeProblem(table, {"b"}, {}, {"y"}, {20, 1});
  const auto gain = [&](bool weights) {
    NodeRows rows(parts.problem, Groups::Whole(100));
    std::vector<LabelView> labels = LabelViews(parts.problem, rows);
    if (weights) AddClassWeights(rows, labels);
    ValueTable values;
    values.Count(parts.problem, rows, {0, 100, 0, 0, nullptr}, 0, labels);
    return LabelSplitSearch(parts.problem, labels).BestSubset(values, 0)->gain;
  };
  // Every class has a weight of 100/3 in all: 33.3, 33.3 and 33.3 become 33.3 and 22.2 against 11.1 and 33.3.
  const auto entropy = [](std::initializer_list<double> masses) {
    double all = 0, logs = 0;
    for (const double mass : masses) all += mass;
    for (const double mass : masses) logs += mass > 0 ? mass * std::log2(mass) : 0;
    return all * std::log2(all) - logs;
  };
  const double third = 100.0 / 3;
  const double by_hand =
      entropy({third, third, third}) - entropy({third, third * 32 / 48}) - entropy({third * 16 / 48, third});
  EXPECT_NEAR(gain(true), by_hand / 100, 1e-9);
  EXPECT_LT(gain(false), by_hand / 100 / 2);
}

// Whatever the counts: no subset that meets the requirement gains more than the one that is found.
TEST(ConditionalTree, LooksAtEverySubsetOfFewValues) {
  EXPECT_TRUE(rc::check([] {
    Random random(*rc::gen::arbitrary<uint64_t>());
    const auto values = *rc::gen::inRange<uint64_t>(2, 7);
    std::string text = "q:categorical s y:categorical\n";
    for (int i = 0; i < 60; ++i)
      text += fmt::format("v{} s{} y{}\n", random.Below(values), random.Below(3), random.Below(3));
    const Table table = testing::MakeTable(text);
    const auto parts = testing::MakeProblem(table, {"q"}, {"s"}, {"y"}, {*rc::gen::inRange(2, 12), 2});
    const Groups whole = Groups::Whole(60);
    NodeRows rows(parts.problem, whole);
    std::vector<LabelView> labels = LabelViews(parts.problem, rows);
    AddContexts(parts.problem, FindContexts(parts.problem, whole), rows, labels);
    ValueTable counts;
    counts.Count(parts.problem, rows, {0, 60, 0, 0, nullptr}, 0, labels);
    RC_PRE(counts.size() >= 2);
    double most = 0;
    for (uint32_t subset = 1; subset + 1 < uint32_t{1} << counts.size(); ++subset) {
      SplitSides sides(parts.problem, labels);
      sides.Start(counts);
      const double parent = sides.Impurity();
      for (size_t v = 0; v < counts.size(); ++v) {
        if ((subset >> v & 1) != 0) sides.MoveLeft(counts, v);
      }
      if (sides.Holds()) most = std::max(most, (parent - sides.Impurity()) / 60);
    }
    const auto found = LabelSplitSearch(parts.problem, labels).BestSubset(counts, 0, true);
    RC_ASSERT(std::abs((found ? found->gain : 0) - most) < 1e-8);
  }));
}

TEST(ConditionalTree, AContextIsASensitiveValueOrALeafOverKeptColumns) {
  std::string text = "q s kept:numeric name:categorical y:categorical\n";
  for (int i = 0; i < 4000; ++i) {
    text += fmt::format("{} s{} {} n{} {}\n", i % 7, i % 3, i % 100, i,
                        i % 100 < 30 ? "low"
                        : i % 3 == 0 ? "mid"
                                     : "high");
  }
  const Table table = testing::MakeTable(text);
  const Groups whole = Groups::Whole(4000);
  testing::ProblemParts plain(
      table, {testing::Ids(table, {"q"}), testing::Ids(table, {"s"}), testing::Ids(table, {"y"}), {}}, {10, 1});
  const Contexts by_value = FindContexts(plain.problem, whole);
  EXPECT_EQ(by_value.count, 3U);
  for (RowId row = 0; row < 4000; ++row) EXPECT_EQ(by_value.of_row[row], row % 3);

  testing::ProblemParts keeping(table,
                                {testing::Ids(table, {"q"}), testing::Ids(table, {"s"}), testing::Ids(table, {"y"}),
                                 testing::Ids(table, {"kept", "name"})},
                                {10, 1});
  const Contexts by_leaf = FindContexts(keeping.problem, whole);
  EXPECT_EQ(by_leaf.count, 3U);  // low; mid; high: 4000 names, one per row, have no say
  for (RowId row = 0; row < 4000; ++row) {
    const Column& label = table.column(4);
    EXPECT_EQ(by_leaf.of_row[row] == by_leaf.of_row[0], label.codes()[row] == label.codes()[0]);
  }
}

TEST(ConditionalTree, RefusesWhatHasNoMeaning) {
  OptionValues ahead, conditional;
  ahead.Set("split", {"multiway"});
  ahead.Set("lookahead", {"true"});
  EXPECT_FALSE(TreeOptionsFrom(ahead, Task::kClassification).ok());
  conditional.Set("split", {"conditional"});
  EXPECT_TRUE(TreeOptionsFrom(conditional, Task::kClassification).ok());
  EXPECT_FALSE(TreeOptionsFrom(conditional, Task::kRegression).ok());
}

}  // namespace
}  // namespace tada
