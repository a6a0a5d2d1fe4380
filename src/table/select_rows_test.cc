#include "table/select_rows.h"

#include <gtest/gtest.h>

#include "testing/tables.h"

namespace tada {
namespace {

TEST(SelectRows, KeepsTheOrderAskedForAndTheCodes) {
  const Table table = testing::MakeTable(
      "age name\n"
      "7   a\n"
      "007 b\n"
      "9   c\n");
  const std::vector<RowId> rows = {2, 0, 2};
  const Table part = SelectRows(table, rows);
  ASSERT_EQ(part.num_rows(), 3u);
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    EXPECT_EQ(part.column(id).name(), table.column(id).name());
    EXPECT_EQ(part.column(id).kind(), table.column(id).kind());
    EXPECT_EQ(part.column(id).num_codes(), table.column(id).num_codes());
    for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(part.column(id).codes()[i], table.column(id).codes()[rows[i]]);
  }
  EXPECT_TRUE(part.column(0).same_value(table.column(0).codes()[0], table.column(0).codes()[1]));
  EXPECT_EQ(part.column(1).text(part.column(1).codes()[0]), "c");
}

TEST(SelectRows, NoRowsGiveAnEmptyTable) {
  const Table table = testing::MakeTable("age\n7\n");
  EXPECT_EQ(SelectRows(table, {}).num_rows(), 0u);
}

}  // namespace
}  // namespace tada
