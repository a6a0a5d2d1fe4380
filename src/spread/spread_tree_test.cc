#include "spread/spread_tree.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

StageSplit CutAt(uint32_t column, Code cut, std::vector<uint64_t> rows) {
  StageSplit found;
  found.split = {column, 2, cut, {}, {}};
  found.child_rows = std::move(rows);
  return found;
}

TEST(SpreadTree, SplitsUntilNodesFit) {
  SpreadTree tree;
  tree.AddRoot(100, 40);
  EXPECT_EQ(tree.In(SpreadTree::State::kOpen), std::vector<uint32_t>{0});
  tree.Apply(0, CutAt(0, 7, {30, 70}), 40);
  EXPECT_EQ(tree.In(SpreadTree::State::kLocal), std::vector<uint32_t>{1});
  EXPECT_EQ(tree.In(SpreadTree::State::kOpen), std::vector<uint32_t>{2});
  StageSplit none;
  none.final_codes = {{7, 8}, {1}};
  tree.Apply(2, none, 40);
  EXPECT_TRUE(tree.In(SpreadTree::State::kOpen).empty());
  EXPECT_EQ(tree.In(SpreadTree::State::kFinal), std::vector<uint32_t>{2});
}

TEST(SpreadTree, RoutesRowsThroughWhatWasPacked) {
  SpreadTree tree;
  tree.AddRoot(100, 40);  // of the first controller
  tree.AddRoot(50, 60);   // of the second: it fits
  tree.Apply(0, CutAt(0, 7, {30, 70}), 40);
  StageSplit by_values;
  by_values.split = {1, 3, 0, {2, 5, 9}, {2, 0, 1}};
  by_values.stage = 1;
  by_values.child_rows = {20, 20, 30};
  tree.Apply(3, StageSplit::Unpack(by_values.Pack()), 40);

  const SpreadTree back = SpreadTree::Unpack(tree.Pack());
  EXPECT_EQ(back.Pack(), tree.Pack());
  EXPECT_EQ(back.nodes()[4].stage, 1u);
  const std::vector<int32_t> first = {3, 7, 9, 8, 0}, second = {2, 2, 5, 9, 9}, controllers = {0, 0, 0, 0, 1};
  const std::vector<std::span<const int32_t>> codes = {first, second};
  EXPECT_EQ(back.Route(codes, controllers), (std::vector<int32_t>{2, 6, 4, 5, 1}));
}

}  // namespace
}  // namespace tada
