#include "partition/engine/splits/split_window.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "partition/engine/splits/split_sides.h"
#include "testing/problems.h"
#include "testing/tables.h"

namespace tada {
namespace {

// A column of few values, rows with two skewed sensitive columns, a label; drawn.
std::string DrawTable() {
  std::string text = "q:categorical s t y:categorical\n";
  const int rows = *rc::gen::inRange(2, 60);
  for (int i = 0; i < rows; ++i) {
    const int s = *rc::gen::inRange(0, 8), t = *rc::gen::inRange(0, 5);
    text += fmt::format("v{} {} {} {}\n", *rc::gen::inRange(0, 9), s < 5 ? 0 : s, t < 3 ? 0 : t, i % 2);
  }
  return text;
}

// What the window says of every prefix and every single value is what the sides, followed row by row, say.
TEST(SplitWindow, SaysWhatTheSidesSay) {
  EXPECT_TRUE(rc::check([] {
    const Table table = testing::MakeTable(DrawTable());
    const Requirement requirement{*rc::gen::inRange(1, 8), *rc::gen::inRange(1, 4)};
    const auto parts = testing::MakeProblem(table, {"q"}, {"s", "t"}, {"y"}, requirement);
    const NodeRows rows(parts.problem, Groups::Whole(table.num_rows()));
    const std::vector<LabelView> labels = LabelViews(parts.problem, rows);
    ValueTable values;
    values.Count(parts.problem, rows, {0, static_cast<uint32_t>(table.num_rows()), 0, 0, nullptr}, 0, labels);
    if (values.size() < 2) return;
    SplitWindow window(parts.problem);
    SplitSides sides(parts.problem, labels);
    RC_ASSERT(window.exact());
    std::vector<uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::rotate(order.begin(), order.begin() + *rc::gen::inRange<int>(0, static_cast<int>(order.size())), order.end());
    const SplitWindow::Lengths lengths = window.Prefixes(values, order);
    sides.Start(values);
    for (size_t length = 1; length < order.size(); ++length) {
      sides.MoveLeft(values, order[length - 1]);
      RC_ASSERT(sides.Holds() == (length >= lengths.first && length <= lengths.last));
    }
    window.StartSingles(values);
    sides.Start(values);
    for (size_t v = 0; v < values.size(); ++v) {
      sides.MoveLeft(values, v);
      RC_ASSERT(sides.Holds() == (sides.LargeEnough() && window.SingleHolds(values, v)));
      sides.MoveRight(values, v);
    }
  }));
}

TEST(SplitWindow, IsNotAllThatEntropyAsks) {
  const Table table = testing::MakeTable("q s t y\n1 a b 0\n2 c d 1\n");
  const auto parts = testing::MakeProblem(table, {"q"}, {"s"}, {"y"}, {1, 2, Diversity::kEntropy});
  EXPECT_FALSE(SplitWindow(parts.problem).exact());
}

}  // namespace
}  // namespace tada
