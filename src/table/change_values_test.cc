#include "table/change_values.h"

#include <gtest/gtest.h>

#include "testing/tables.h"

namespace tada {
namespace {

std::vector<std::string> TextsOf(const Column& column) {
  std::vector<std::string> texts;
  for (RowId row = 0; row < column.num_rows(); ++row) texts.emplace_back(column.text(column.codes()[row]));
  return texts;
}

TEST(NarrowRows, KeepsNoValueOfOtherRows) {
  const Table table = testing::MakeTable("age town\n7 Ulm\n90 Jena\n8 Bonn\n8 Ulm\n");
  const NarrowTable narrow = NarrowRows(table, std::vector<RowId>{3, 0});
  EXPECT_EQ(narrow.table.column(0).num_codes(), 2u);
  EXPECT_EQ(narrow.table.column(1).num_codes(), 1u);
  EXPECT_EQ(TextsOf(narrow.table.column(0)), (std::vector<std::string>{"8", "7"}));
  for (ColumnId id = 0; id < 2; ++id) {
    const Column& part = narrow.table.column(id);
    EXPECT_EQ(part.kind(), table.column(id).kind());
    for (Code code = 0; code < part.num_codes(); ++code)
      EXPECT_EQ(part.text(code), table.column(id).text(narrow.old_code[id][code]));
  }
}

TEST(ClipColumn, TakesNumbersOutsideForTheNearerEnd) {
  const Table table = testing::MakeTable("age\n7\n18\n?\n30\n91\n103\n90\n");
  const Column clipped = ClipColumn(table.column(0), {18, "18"}, {90, "90"});
  EXPECT_EQ(TextsOf(clipped), (std::vector<std::string>{"18", "18", "?", "30", "90", "90", "90"}));
  EXPECT_EQ(clipped.num_missing(), 1u);
  EXPECT_EQ(TextsOf(ClipColumn(table.column(0), {}, {20, "20"}))[0], "7");
}

}  // namespace
}  // namespace tada
