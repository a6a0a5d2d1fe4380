#include "groups/box.h"

#include <gtest/gtest.h>

#include "testing/tables.h"

namespace tada {
namespace {

using Codes = std::vector<std::vector<Code>>;

TEST(Box, OfNumbersIsSharedOutAtTheCut) {
  const Table table = testing::MakeTable("n\n1\n2\n5\n9\n");
  const Box whole = WholeBox(table, std::vector<ColumnId>{0}, {});
  EXPECT_TRUE(whole[0].lower.open());
  EXPECT_EQ(whole[0].missing, MissingInBox::kNo);
  const auto parts = CutBox(whole, 0, table.column(0), nullptr, Codes{{0, 1}, {3, 3}});
  EXPECT_TRUE((*parts[0])[0].lower.open());
  EXPECT_EQ((*parts[0])[0].upper, (Cut{1, 3}));
  EXPECT_EQ((*parts[1])[0].lower, (Cut{1, 3}));
  EXPECT_TRUE((*parts[1])[0].upper.open());
  EXPECT_TRUE(HullOfBoxes(parts)[0].upper.open());
  EXPECT_TRUE(HullOfBoxes(parts)[0].lower.open());
}

TEST(Box, KeepsPeopleWithoutANumberOnTheLeft) {
  const Table table = testing::MakeTable("n\n_\n2\n5\n");
  const Box whole = WholeBox(table, std::vector<ColumnId>{0}, {});
  EXPECT_EQ(whole[0].missing, MissingInBox::kMay);
  const auto apart = CutBox(whole, 0, table.column(0), nullptr, Codes{{0, 0}, {1, 2}});
  EXPECT_EQ((*apart[0])[0].missing, MissingInBox::kOnly);
  EXPECT_EQ((*apart[1])[0].missing, MissingInBox::kNo);
  EXPECT_TRUE((*apart[1])[0].lower.open());
  EXPECT_EQ(HullOfBoxes(apart)[0].missing, MissingInBox::kMay);
  const auto within = CutBox(whole, 0, table.column(0), nullptr, Codes{{0, 1}, {2, 2}});
  EXPECT_EQ((*within[0])[0].missing, MissingInBox::kMay);
  EXPECT_EQ((*within[1])[0].missing, MissingInBox::kNo);
}

TEST(Box, GivesAbsentNamesToTheNearestBelow) {
  const Table table = testing::MakeTable("c\na\nb\nc\nd\ne\n");
  const Box whole = WholeBox(table, std::vector<ColumnId>{0}, {});
  const auto parts = CutBox(whole, 0, table.column(0), nullptr, Codes{{1}, {3}});
  EXPECT_EQ(*(*parts[0])[0].values, (std::vector<Code>{0, 1, 2}));
  EXPECT_EQ(*(*parts[1])[0].values, (std::vector<Code>{3, 4}));
  EXPECT_EQ(*HullOfBoxes(parts)[0].values, *whole[0].values);
}

TEST(Box, FollowsTheBranchesOfAHierarchy) {
  const Table table = testing::MakeTable("c\nfr\nde\npl\njp\nbr\n");  // br de fr jp pl
  const auto lines = AlignLines({"test",
                                 {{"fr", "west", "europe", "*"},
                                  {"de", "west", "europe", "*"},
                                  {"pl", "east", "europe", "*"},
                                  {"jp", "far", "asia", "*"},
                                  {"br", "south", "america", "*"}},
                                 {}});
  ASSERT_TRUE(lines.ok());
  const auto hierarchy = BindHierarchy(*lines, table.column(0));
  ASSERT_TRUE(hierarchy.ok());
  const std::vector<const Hierarchy*> hierarchies{&*hierarchy};
  const Box whole = WholeBox(table, std::vector<ColumnId>{0}, hierarchies);
  const Code de = 1, fr = 2, jp = 3, pl = 4;
  const auto parts = CutBox(whole, 0, table.column(0), &*hierarchy, Codes{{de, fr}, {jp}});
  EXPECT_EQ(*(*parts[0])[0].values, (std::vector<Code>{de, fr, pl}));  // all of Europe, though nobody is from its east
  EXPECT_EQ(*(*parts[1])[0].values, (std::vector<Code>{jp}));          // America is in no box
}

}  // namespace
}  // namespace tada
