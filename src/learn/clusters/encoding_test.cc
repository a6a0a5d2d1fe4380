#include "learn/clusters/encoding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/tables.h"

namespace tada {
namespace {

Points Encode(const Table& table, NameEncoding encoding = NameEncoding::kCodes) {
  std::vector<ColumnId> columns;
  std::vector<RowId> rows;
  for (ColumnId c = 0; c < table.num_columns(); ++c) columns.push_back(c);
  for (RowId row = 0; row < table.num_rows(); ++row) rows.push_back(row);
  Result<Points> points = EncodeRows(table, columns, rows, encoding);
  EXPECT_TRUE(points.ok());
  return std::move(points).value();
}

TEST(EncodeRows, StandardizesNumbers) {
  const Points points = Encode(testing::MakeTable("n\n1\n3\n"));
  EXPECT_EQ(points.values, (std::vector<float>{-1, 1}));
}

TEST(EncodeRows, TakesNamesAsRanksOfTheValuesThatOccur) {
  const Table table = testing::MakeTable("s:categorical\nb\na\nz\n");
  const std::vector<RowId> rows = {0, 1};  // z is not there, so a and b are 1 and 2
  const std::vector<ColumnId> columns = {0};
  EXPECT_EQ(EncodeRows(table, columns, rows, NameEncoding::kCodes)->values, (std::vector<float>{1, -1}));
  EXPECT_EQ(EncodeRows(table, columns, rows, NameEncoding::kAppearance)->values, (std::vector<float>{-1, 1}));
}

TEST(EncodeRows, FollowsTheLeavesOfAHierarchy) {
  const Table table = testing::MakeTable("s:categorical\nant\nbee\ncat\ndog\n");
  const auto lines = AlignLines(
      {"a file", {{"ant", "small", "*"}, {"cat", "large", "*"}, {"dog", "large", "*"}, {"bee", "small", "*"}}, {}});
  const Hierarchy hierarchy = BindHierarchy(*lines, table.column(0)).value();
  const std::vector<ColumnId> columns = {0};
  const std::vector<RowId> rows = {0, 1, 2, 3};
  const std::vector<const Hierarchy*> given = {&hierarchy};
  const Points with = *EncodeRows(table, columns, rows, NameEncoding::kHierarchy, given);
  EXPECT_LT(with.values[1], with.values[2]);  // ant, bee | cat, dog: the order of the codes
  const auto crossed =
      AlignLines({"a file", {{"ant", "x", "*"}, {"bee", "y", "*"}, {"cat", "x", "*"}, {"dog", "y", "*"}}, {}});
  const Hierarchy other = BindHierarchy(*crossed, table.column(0)).value();
  const std::vector<const Hierarchy*> also = {&other};
  const Points apart = *EncodeRows(table, columns, rows, NameEncoding::kHierarchy, also);
  EXPECT_LT(apart.values[0], apart.values[2]);  // ant, cat | bee, dog
  EXPECT_LT(apart.values[2], apart.values[1]);
  EXPECT_LT(apart.values[1], apart.values[3]);
  EXPECT_EQ(EncodeRows(table, columns, rows, NameEncoding::kHierarchy)->values,
            EncodeRows(table, columns, rows, NameEncoding::kCodes)->values);
}

TEST(EncodeRows, OneHotPutsDifferentNamesAtDistanceOne) {
  const Points points = Encode(testing::MakeTable("s\na\nb\nc\na\n"), NameEncoding::kOneHot);
  EXPECT_EQ(points.features, 3U);
  EXPECT_NEAR(SquaredDistance(points.point(0), points.point(1)), 1, 1e-6);
  EXPECT_NEAR(SquaredDistance(points.point(1), points.point(2)), 1, 1e-6);
  EXPECT_EQ(SquaredDistance(points.point(0), points.point(3)), 0);
}

TEST(EncodeRows, PutsMissingNumbersAtTheMeanAndTellsThemApart) {
  const Points points = Encode(testing::MakeTable("n:numeric\n1\n3\n_\n_\n"));
  ASSERT_EQ(points.features, 2U);
  EXPECT_EQ(points.values, (std::vector<float>{-1, -1, 1, -1, 0, 1, 0, 1}));
}

TEST(EncodeRows, LeavesConstantColumnsOutAndNeverHasNoFeature) {
  EXPECT_EQ(Encode(testing::MakeTable("n s\n5 a\n5 a\n")).values, (std::vector<float>{0, 0}));
}

TEST(EncodeRows, SurvivesNumbersWhoseSquaresOverflow) {
  const Points points = Encode(testing::MakeTable("n\n-1.7e308\n1.7e308\n0\n"));
  for (const float value : points.values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_GT(points.values[1], points.values[2]);
}

}  // namespace
}  // namespace tada
