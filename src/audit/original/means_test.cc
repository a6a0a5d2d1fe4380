#include "audit/original/means.h"

#include <gtest/gtest.h>

#include "table/column_builder.h"

namespace tada {
namespace {

Column Make(const std::vector<std::string>& texts, std::optional<Kind> kind = std::nullopt) {
  ColumnBuilder builder("c", {.kind = kind});
  for (const std::string& text : texts) builder.AppendText(text);
  return std::move(builder.Finish()).value();
}

Column Cells(const std::vector<std::string>& texts) { return Make(texts, Kind::kCategorical); }

// Rows 0 and 2, rows 1 and 3.
Classes TwoClasses() { return {{0, 2, 1, 3}, {0, 2, 4}}; }
constexpr RowId kOrder[] = {0, 1, 2, 3};

TEST(Means, AreThoseOfTheRowsBehindAClass) {
  const Column ages = Make({"30", "40", "31", "40"});
  EXPECT_EQ(CheckMeans(Cells({"30.5", "40", "30.5", "40"}), ages, TwoClasses(), kOrder).rows, 0u);
  const MeanFault fault = CheckMeans(Cells({"30.6", "40", "30.6", "40"}), ages, TwoClasses(), kOrder);
  EXPECT_EQ(fault.rows, 2u);
  EXPECT_EQ(fault.example, "row 1: 30.6 is not the mean of its class");
  EXPECT_EQ(CheckMeans(Cells({"*", "41", "*", "41"}), ages, TwoClasses(), kOrder).rows, 2u);
}

TEST(Means, OfNumbersBesideMissingOnesAreWrong) {
  const Column ages = Make({"30", "40", "?", "?"});
  EXPECT_EQ(CheckMeans(Cells({"30", "*", "30", "*"}), ages, TwoClasses(), kOrder).rows, 2u);
}

TEST(Means, OfNamesAreAnyOfTheMostFrequent) {
  const Column jobs = Make({"cook", "nurse", "nurse", "nurse"});
  EXPECT_EQ(CheckMeans(Cells({"cook", "nurse", "cook", "nurse"}), jobs, TwoClasses(), kOrder).rows, 0u);
  EXPECT_EQ(CheckMeans(Cells({"nurse", "cook", "nurse", "cook"}), jobs, TwoClasses(), kOrder).rows, 2u);
}

TEST(Means, KeepTheSumOfAColumn) {
  const Column ages = Make({"30", "40", "31", "40"});
  EXPECT_EQ(CheckTotals(Cells({"40", "30.5", "30.5", "40"}), ages, true), "");
  EXPECT_NE(CheckTotals(Cells({"41", "30.5", "30.5", "40"}), ages, true), "");
  EXPECT_EQ(CheckTotals(Cells({"41", "30.5"}), ages, false), "");
  EXPECT_NE(CheckTotals(Cells({"smith"}), Make({"cook", "nurse"}), true), "");
}

TEST(Means, LoseTheVarianceInsideClasses) {
  const Column ages = Make({"30", "40", "32", "40"});
  EXPECT_DOUBLE_EQ(SquaredError(Cells({"31", "40", "31", "40"}), ages, kOrder), 2.0 / 83.0 * 1.0);
  EXPECT_DOUBLE_EQ(SquaredError(Cells({"a", "a", "a", "a"}), Make({"a", "b", "a", "a"}), kOrder), 0.25);
}

}  // namespace
}  // namespace tada
