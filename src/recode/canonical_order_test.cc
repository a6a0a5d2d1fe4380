#include "recode/canonical_order.h"

#include <gtest/gtest.h>

#include "recode/recoder.h"
#include "table/column_builder.h"
#include "testing/tables.h"

namespace tada {
namespace {

// The released rows in their order, a line each.
std::vector<std::string> Lines(const Table& table, const Roles& roles, const Groups& groups,
                               const RecodeOptions& options = {}) {
  const Release release = Recode(table, roles, groups, options, Workers(1));
  std::vector<std::string> lines;
  for (const RowId row : release.row_order) {
    std::string& line = lines.emplace_back();
    for (const ReleasedColumn& released : release.columns) {
      const Column& column = table.column(released.source);
      if (!line.empty()) line += ' ';
      line += released.recoded
                  ? CellText(column, released, released.cells[released.cell_of_group[release.group_of_row[row]]])
                  : std::string(column.text(column.codes()[row]));
    }
  }
  return lines;
}

using Lists = std::vector<std::vector<RowId>>;

TEST(CanonicalOrder, SortsClassesByTheirCellsAndRowsByTheRest) {
  const Table table =
      testing::MakeTable("age s y\n30 flu 2\n9 cold 10\n100 flu 1\n30 flu 1\n9 cold 9\n30 cold 1\n9 _ 3\n");
  const Groups groups = Groups::FromLists({{0, 2}, {3, 5}, {1, 4, 6}});
  EXPECT_EQ(Lines(table, {{0}, {1}, {2}, {}}, groups),
            (std::vector<std::string>{"9  3", "9 cold 9", "9 cold 10", "30 cold 1", "30 flu 1", "[30,100] flu 1",
                                      "[30,100] flu 2"}));
}

TEST(CanonicalOrder, TakesGroupsThatShowTheSameForOneClass) {
  const Table table = testing::MakeTable("q s\na 3\na 1\na 4\na 2\n");
  const std::vector<std::string> sorted = {"a 1", "a 2", "a 3", "a 4"};
  EXPECT_EQ(Lines(table, {{0}, {1}, {}, {}}, Groups::FromLists({{0, 1}, {2, 3}})), sorted);
  EXPECT_EQ(Lines(table, {{0}, {1}, {}, {}}, Groups::FromLists({{2, 1}, {0, 3}})), sorted);
}

TEST(CanonicalOrder, PutsValuesBeforeSetsThatBeginWithThemAndTheMaskLast) {
  const Table table = testing::MakeTable("q\na\nb\na\na\nc\nb\nc\n");
  Groups groups = Groups::FromLists({{6}, {0, 1}, {2}, {3, 4}, {5}});
  groups.set_masked(0);
  EXPECT_EQ(Lines(table, {{0}, {}, {}, {}}, groups),
            (std::vector<std::string>{"a", "{a,b}", "{a,b}", "{a,c}", "{a,c}", "b", "*"}));
}

// Whoever is behind the cells, and in whatever order they came, the file is the same.
TEST(CanonicalOrder, FollowsFromTheReleasedRowsAlone) {
  const Roles roles{{0, 1}, {2}, {}, {}};
  const Table table = testing::MakeTable("age zip s\n20 a x\n24 b y\n30 c z\n51 d x\n60 d y\n");
  const std::vector<std::string> lines = Lines(table, roles, Groups::FromLists({{0, 1, 2}, {3, 4}}));
  EXPECT_EQ(lines.front(), "[20,30] {a,b,c} x");
  // The sensitive values of a class belong to others of it, one of them has another age, and other rows come first.
  const Table others = testing::MakeTable("age zip s\n60 d x\n20 c z\n30 a y\n21 b x\n51 d y\n");
  EXPECT_EQ(Lines(others, roles, Groups::FromLists({{3, 2, 1}, {4, 0}})), lines);
}

TEST(CanonicalOrder, DoesNotTellTheOrderThatOrdinalValuesHave) {
  ColumnOptions options;
  options.kind = Kind::kOrdinal;
  options.order = {"low", "middle", "high"};
  ColumnBuilder quasi("q", options), kept("s", options);
  for (const std::string text : {"low", "middle", "high"}) quasi.AppendText(text), kept.AppendText(text);
  std::vector<Column> columns;
  columns.push_back(std::move(quasi.Finish()).value());
  columns.push_back(std::move(kept.Finish()).value());
  const Table table(std::move(columns));
  EXPECT_EQ(Lines(table, {{0}, {1}, {}, {}}, Groups::FromLists({{0}, {1}, {2}})),
            (std::vector<std::string>{"high high", "low low", "middle middle"}));
  EXPECT_EQ(Lines(table, {{0}, {1}, {}, {}}, Groups::FromLists({{0, 1, 2}})).front(), "{high,low,middle} high");
}

TEST(CanonicalOrder, IsTheInputsOnRequest) {
  const Table table = testing::MakeTable("q\n3\n1\n2\n");
  EXPECT_EQ(Lines(table, {{0}, {}, {}, {}}, Groups::FromLists({{2}, {1}, {0}}), {.keep_order = true}),
            (std::vector<std::string>{"3", "1", "2"}));
}

}  // namespace
}  // namespace tada
