#include "recode/recoder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/tables.h"

namespace tada {
namespace {

std::string Show(const Table& table, ColumnId column, const std::vector<RowId>& rows) {
  const ReleasedColumn released = RecodeColumn(table, column, Groups::One(rows));
  return CellText(table.column(column), released, released.cells[released.cell_of_group[0]]);
}

TEST(Recoder, WritesCellsAsDocumented) {
  const Table table = testing::MakeTable("n c\n007 b\n7 a\n12.50 a,b\n_ _\n_ _\n");
  EXPECT_EQ(Show(table, 0, {0}), "007");
  EXPECT_EQ(Show(table, 0, {0, 1}), "[007,7]");
  EXPECT_EQ(Show(table, 0, {2, 0}), "[007,12.50]");
  EXPECT_EQ(Show(table, 0, {3, 4}), "");
  EXPECT_EQ(Show(table, 0, {0, 3}), "*");
  EXPECT_EQ(Show(table, 1, {1}), "a");
  EXPECT_EQ(Show(table, 1, {0, 1, 1}), "{a,b}");
  EXPECT_EQ(Show(table, 1, {0, 2}), "{\"a,b\",b}");
  EXPECT_EQ(Show(table, 1, {0, 3}), "{\"\",b}");
}

TEST(Recoder, QuotesElementsThatWouldBeMisread) {
  EXPECT_EQ(SetElementText("plain"), "plain");
  EXPECT_EQ(SetElementText("two words"), "two words");
  EXPECT_EQ(SetElementText(" blank"), "\" blank\"");
  EXPECT_EQ(SetElementText("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(SetElementText("{}"), "\"{}\"");
  EXPECT_EQ(SetElementText(""), "\"\"");
}

TEST(Recoder, RowsInNoGroupAreWithheld) {
  const Table table = testing::MakeTable("a\n1\n2\n3\n");
  const Release release = Recode(table, {{0}, {}, {}, {}}, Groups::One({0, 2}), {.keep_order = true}, Workers(1));
  EXPECT_EQ(release.row_order, (std::vector<RowId>{0, 2}));
}

}  // namespace
}  // namespace tada
