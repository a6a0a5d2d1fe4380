#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "groups/working_rows.h"
#include "testing/tables.h"

namespace tada {
namespace {

TEST(Groups, ListsBecomeSpansThatCoverTheirRows) {
  Groups groups = Groups::FromLists({{3, 1}, {}, {0, 2}});
  ASSERT_EQ(groups.num_groups(), 2);
  EXPECT_EQ(groups.rows(0)[0], 3);
  groups.Append(Groups::One({7, 8}));
  EXPECT_EQ(groups.num_groups(), 3);
  EXPECT_EQ(groups.rows(2)[1], 8);
  EXPECT_THROW(Groups({0, 1, 2}, {{0, 2}}), InternalError);
}

TEST(WorkingRows, PartitionIsStableAndMovesEveryColumn) {
  EXPECT_TRUE(rc::check([](const std::vector<uint8_t>& raw) {
    RC_PRE(!raw.empty());
    const uint32_t num_children = *rc::gen::inRange(2, 6);
    std::string text = "a b\n";
    for (const uint8_t value : raw) text += fmt::format("{} x{}\n", value, value % 7);
    const Table table = testing::MakeTable(text);
    WorkingRows rows(Groups::Whole(raw.size()));
    rows.AddColumn(table.column(0));
    rows.AddColumn(table.column(1));
    std::vector<uint16_t> child;
    for (const uint8_t value : raw) child.push_back(static_cast<uint16_t>(value % num_children));
    const auto begins = rows.Partition(0, static_cast<uint32_t>(raw.size()), child, num_children);
    RC_ASSERT(begins.size() == num_children + 1);
    for (uint32_t c = 0; c < num_children; ++c) {
      for (uint32_t i = begins[c]; i < begins[c + 1]; ++i) {
        const RowId row = rows.rows()[i];
        RC_ASSERT(child[row] == c);
        if (i > begins[c]) RC_ASSERT(rows.rows()[i - 1] < row);
        for (uint32_t column = 0; column < 2; ++column) {
          const Code code = rows.Visit(column, i, i + 1, [](auto codes) { return static_cast<Code>(codes[0]); });
          RC_ASSERT(code == table.column(column).codes()[row]);
        }
      }
    }
  }));
}

}  // namespace
}  // namespace tada
