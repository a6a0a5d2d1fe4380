#include "table/label.h"

#include <gtest/gtest.h>

#include "testing/tables.h"

namespace tada {
namespace {

using testing::MakeTable;

TEST(Label, ThatIsAnIntervalCostsItsWidthHoweverItIsWritten) {
  const Table table = MakeTable("age\n20\n24\n41\n60\n");
  const auto loss = [&](std::string_view label) { return LabelLoss(table.column(0), label, 2); };
  for (const char* label : {"[20,30)", "[20,30]", "20-30", "[20-30]", "(20,30)", "20..30", "20 to 30", "20,0-30,0"})
    EXPECT_DOUBLE_EQ(loss(label), 0.25) << label;
  EXPECT_DOUBLE_EQ(loss("[20,24]"), 0.1);
  EXPECT_DOUBLE_EQ(loss("[60,70)"), 0.25);  // as wide as it says, beyond the largest value too
  EXPECT_DOUBLE_EQ(loss("0-99"), 1.0);      // and never more than the column
  EXPECT_DOUBLE_EQ(loss(">=50"), 0.25);     // without a bound the column's own
  EXPECT_DOUBLE_EQ(loss("<30"), 0.25);
}

TEST(Label, ThatIsNoIntervalCostsTheValuesBelowIt) {
  const Table table =
      MakeTable("age city:categorical day\n20 a 2024-01-01\n24 b 2024-01-11\n41 c 2024-01-21\n60 d 2024-01-31\n");
  for (const char* label : {"young", "{20,24}", "2*"})
    EXPECT_DOUBLE_EQ(LabelLoss(table.column(0), label, 2), 1.0 / 3) << label;
  EXPECT_DOUBLE_EQ(LabelLoss(table.column(1), "0-3", 3), 2.0 / 3);  // a name like others in a column of names
  EXPECT_DOUBLE_EQ(LabelLoss(table.column(1), "south", 1), 0.0);
  EXPECT_DOUBLE_EQ(LabelLoss(table.column(2), "[2024-01-01,2024-01-16]", 2), 0.5);
  EXPECT_DOUBLE_EQ(LabelLoss(table.column(2), "2024-01", 4), 1.0);
  const Table constant = MakeTable("age\n20\n20\n");
  EXPECT_DOUBLE_EQ(LabelLoss(constant.column(0), "20-30", 1), 0.0);
}

TEST(Label, CoversWithEveryDigitOfANumber) {
  const Table table = MakeTable("n\n0.1\n0.10000000000000000001\n0.2\n");
  const LabelCover closed("[0.1,0.1]", table.column(0), Reading::kNumbers),
      set("{0.10,0.2}", table.column(0), Reading::kNumbers);
  EXPECT_TRUE(closed.Covers(0));
  EXPECT_FALSE(closed.Covers(1));
  EXPECT_TRUE(set.Covers(0));
  EXPECT_FALSE(set.Covers(1));
  EXPECT_TRUE(set.Covers(2));
}

}  // namespace
}  // namespace tada
