#include "partition/engine/equal_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "partition/mondrian/mondrian.h"
#include "testing/problems.h"

namespace tada {
namespace {

TEST(EqualRows, MondrianGivesTheSameGroupsCollapsedOrNot) {
  EXPECT_TRUE(rc::check([](const std::vector<uint16_t>& raw) {
    RC_PRE(raw.size() > 6);
    std::string text = "a b s\n";
    for (int copies = 0; copies < 3; ++copies) {
      for (const uint16_t value : raw) text += fmt::format("{} x{} s{}\n", value % 7, value / 7 % 4, value / 28 % 3);
    }
    const Table table = testing::MakeTable(text);
    const Requirement requirement{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 3)};
    const auto parts = testing::MakeProblem(table, {"a", "b"}, {"s"}, {}, requirement);
    const Groups whole = Groups::Whole(table.num_rows());
    if (!parts.checker.Holds(whole.rows(0))) return;
    MondrianOptions options;
    options.categorical =
        *rc::gen::element(MondrianOptions::Categorical::kOrdered, MondrianOptions::Categorical::kBalanced,
                          MondrianOptions::Categorical::kFrequency);
    const MedianChooser chooser(parts.problem, options);
    const EqualRows equal(parts.problem, whole);
    NodeRows rows(parts.problem, equal.representatives());
    rows.rows.SetWeights(equal.weights());
    const Groups collapsed =
        equal.Expand(SplitAll(parts.problem, equal.representatives(), chooser, "m", std::move(rows)));
    RC_ASSERT(testing::RowSets(collapsed) == testing::RowSets(SplitAll(parts.problem, whole, chooser, "m")));
  }));
}

TEST(EqualRows, PayWhereRowsRepeatAndNotWhereTheyDiffer) {
  std::string repeated = "a b s\n", different = "a b s\n";
  for (int i = 0; i < 20000; ++i) {
    repeated += fmt::format("{} x{} s\n", i % 10, i % 4);
    different += fmt::format("{} x{} s\n", i, i % 4);
  }
  for (const auto& [text, pays] : {std::pair(repeated, true), std::pair(different, false)}) {
    const Table table = testing::MakeTable(text);
    const auto parts = testing::MakeProblem(table, {"a", "b"}, {"s"}, {}, {5, 1});
    EXPECT_EQ(EqualRows::Pay(parts.problem, Groups::Whole(20000)), pays);
  }
}

}  // namespace
}  // namespace tada
