#include "learn/trees/cell_tree.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "learn/j48.h"
#include "testing/fixtures.h"

namespace tada {
namespace {

CellColumn Numbers(const std::vector<std::pair<double, double>>& rows) {
  CellColumn column{true, 0, {}, {}, {}};
  for (const auto& [low, high] : rows) {
    column.of_row.push_back(static_cast<uint32_t>(column.cells.size()));
    column.cells.push_back({low, high, 0, 0});
  }
  return column;
}

CellColumn Names(uint32_t count, const std::vector<std::vector<uint32_t>>& rows) {
  CellColumn column{false, count, {}, {}, {}};
  for (const auto& names : rows) {
    const auto begin = static_cast<uint32_t>(column.names.size());
    column.names.insert(column.names.end(), names.begin(), names.end());
    column.of_row.push_back(static_cast<uint32_t>(column.cells.size()));
    column.cells.push_back({0, 0, begin, static_cast<uint32_t>(column.names.size())});
  }
  return column;
}

uint32_t Best(const CellTree& tree, const CellTable& table, size_t row) {
  std::vector<double> shares(table.num_labels, 0.0);
  tree.Predict(table, row, shares);
  return static_cast<uint32_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

TEST(CellTree, PredictsAsJ48DoesOnRawValues) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    TreeSamples samples{{{{}, 40, true}, {{}, 4, false}, {{}, 3, false}}, {}, 3};
    std::vector<std::pair<double, double>> numbers;
    std::vector<std::vector<uint32_t>> first, second;
    for (int i = 0; i < 400; ++i) {
      const auto x = static_cast<uint32_t>(random.Below(40)), a = static_cast<uint32_t>(random.Below(4)),
                 b = static_cast<uint32_t>(random.Below(3));
      uint32_t label = x > 25 ? 2 : a == 1 ? 1 : b == 2 && x > 10 ? 2 : 0;
      if (random.Below(10) == 0) label = static_cast<uint32_t>(random.Below(3));
      samples.columns[0].codes.push_back(x);
      samples.columns[1].codes.push_back(a);
      samples.columns[2].codes.push_back(b);
      samples.labels.push_back(label);
      numbers.emplace_back(x, x);
      first.push_back({a});
      second.push_back({b});
    }
    const CellTable table{{Numbers(numbers), Names(4, first), Names(3, second)}, samples.labels, 3, {}, 400};
    const J48Tree expected(samples, std::vector<double>(400, 1.0));
    const CellTree tree(table);
    ASSERT_GT(tree.num_leaves(), 3u);
    for (size_t row = 0; row < 400; ++row) ASSERT_EQ(Best(tree, table, row), expected.Predict(samples, row));
  }
}

// A table of raw values, as the fixture has them: two columns of numbers and one of two names.
CellTable RawTable(const nlohmann::json& one) {
  std::vector<std::pair<double, double>> first, second;
  std::vector<std::vector<uint32_t>> names;
  for (const auto& row : one["x"]) {
    first.emplace_back(row[0], row[0]);
    second.emplace_back(row[1], row[1]);
    names.push_back({row[2].get<uint32_t>()});
  }
  const size_t rows = names.size();
  return {{Numbers(first), Numbers(second), Names(2, names)}, {}, 0, one["y"].get<std::vector<double>>(), rows};
}

TEST(CellTree, OfNumbersIsThatOfScikitLearnOnRawValues) {
  size_t most = 0;
  for (const auto& one : testing::Fixture("regression_tree")) {
    const CellTable table = RawTable(one);
    const CellTree tree(table);
    EXPECT_EQ(tree.num_leaves(), one["leaves"].get<size_t>());
    most = std::max(most, tree.num_leaves());
    for (size_t row = 0; row < table.num_rows; ++row) {
      std::vector<double> number(1, 0.0);
      tree.Predict(table, row, number);
      ASSERT_NEAR(number[0], one["predicted"][row].get<double>(), 1e-9) << row;
    }
  }
  EXPECT_GT(most, 4u);
}

TEST(CellTree, OfNumbersExpectsTheMeanOfWhatACellCovers) {
  // Numbers up to 4 have target 1, those from 6 on target 3: an interval over all of it lies between, in proportion.
  CellTable table{{}, {}, 0, {}, 0};
  std::vector<std::pair<double, double>> rows;
  for (int i = 0; i < 40; ++i) {
    rows.emplace_back(i % 2 == 0 ? 4 : 6, i % 2 == 0 ? 4 : 6);
    table.targets.push_back(i % 2 == 0 ? 1 : 3);
  }
  table.columns = {Numbers(rows)};
  table.num_rows = rows.size();
  const CellTree tree(table);
  EXPECT_EQ(tree.num_leaves(), 2u);
  const CellTable asked{{Numbers({{0, 4}, {5, 9}, {2, 10}})}, {}, 0, {1, 3, 2.5}, 3};
  for (size_t row = 0; row < 3; ++row) {
    std::vector<double> number(1, 0.0);
    tree.Predict(asked, row, number);
    EXPECT_NEAR(number[0], asked.targets[row], 1e-12);  // [2,10]: a quarter up to the cut at 4, the rest above it
  }
}

TEST(CellTree, ANumberWithoutPatternIsOneLeaf) {
  Random random(9);
  CellTable table{{}, {}, 0, {}, 300};
  std::vector<std::pair<double, double>> numbers;
  std::vector<std::vector<uint32_t>> names;
  for (int i = 0; i < 300; ++i) {
    const double x = random.Unit();
    numbers.emplace_back(x, x);
    names.push_back({static_cast<uint32_t>(random.Below(20))});
    table.targets.push_back(random.Unit());
  }
  table.columns = {Numbers(numbers), Names(20, names)};
  EXPECT_EQ(CellTree(table).num_leaves(), 1u);
}

TEST(CellTree, AnIntervalCountsOnBothSidesOfAThreshold) {
  // 0..4 is label 0, 6..10 label 1; four rows that may be anything have label 1 and pull neither side over.
  std::vector<std::pair<double, double>> rows;
  std::vector<uint32_t> labels;
  for (int i = 0; i < 20; ++i) {
    rows.emplace_back(i % 2 == 0 ? 1 : 9, i % 2 == 0 ? 4 : 10);
    labels.push_back(i % 2 == 0 ? 0 : 1);
  }
  for (int i = 0; i < 4; ++i) {
    rows.emplace_back(0, 10);
    labels.push_back(1);
  }
  const CellTable table{{Numbers(rows)}, labels, 2, {}, rows.size()};
  const CellTree tree(table);
  EXPECT_EQ(tree.num_leaves(), 2u);
  std::vector<double> shares(2, 0.0);
  tree.Predict(table, 20, shares);  // [0,10]: some of both leaves
  EXPECT_NEAR(shares[0] + shares[1], 1, 1e-9);
  EXPECT_GT(shares[0], 0.2);
  EXPECT_LT(shares[0], 0.8);
}

TEST(CellTree, ASetCountsForEachOfItsNames) {
  std::vector<std::vector<uint32_t>> rows;
  std::vector<uint32_t> labels;
  for (int i = 0; i < 30; ++i) {
    rows.push_back(i % 3 == 0   ? std::vector<uint32_t>{0}
                   : i % 3 == 1 ? std::vector<uint32_t>{1}
                                : std::vector<uint32_t>{0, 2});
    labels.push_back(i % 3 == 1 ? 1 : 0);
  }
  const CellTable table{{Names(3, rows)}, labels, 2, {}, rows.size()};
  const CellTree tree(table);
  const CellTable asked{{Names(3, {{2}, {1}, {0}})}, {0, 1, 0}, 2, {}, 3};
  for (size_t row = 0; row < 3; ++row) EXPECT_EQ(Best(tree, asked, row), asked.labels[row]);
}

TEST(CellTree, ThePapersEncodingHasAColumnForEveryName) {
  const CellTable table{{Names(3, {{0, 2}, {1}}), Numbers({{2, 4}, {5, 5}})}, {0, 1}, 2, {}, 2};
  const CellTable paper = MultiHotCells(table);
  ASSERT_EQ(paper.columns.size(), 4u);
  EXPECT_EQ(paper.columns[0].of_row, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(paper.columns[1].of_row, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(paper.columns[2].of_row, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(paper.columns[3].cell(0).low, 3);
}

}  // namespace
}  // namespace tada
