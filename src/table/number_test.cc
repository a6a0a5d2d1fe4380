#include "table/number.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(Number, ReadsWhatPeopleWrite) {
  EXPECT_EQ(ParseNumber("007"), 7);
  EXPECT_EQ(ParseNumber("+5"), 5);
  EXPECT_EQ(ParseNumber("1.50"), 1.5);
  EXPECT_EQ(ParseNumber("1e3"), 1000);
  EXPECT_EQ(ParseNumber(".5"), 0.5);
  EXPECT_EQ(ParseNumber("-2."), -2);
}

TEST(Number, RefusesEverythingElse) {
  for (const char* text : {"", "+", ".", "1e", "1e+", " 1", "1 ", "inf", "nan", "0x10", "1,5", "1-2", "--1", "1.2.3"}) {
    EXPECT_FALSE(ParseNumber(text)) << text;
  }
}

TEST(Number, OrderIsExactBeyondDoubles) {
  EXPECT_LT(CompareNumbers("9007199254740992", "9007199254740993"), 0);
  EXPECT_GT(CompareNumbers("0.10000000000000000001", "0.1"), 0);
  EXPECT_LT(CompareNumbers("-9223372036854775808", "-9223372036854775807"), 0);
  EXPECT_EQ(CompareNumbers("1.50", "1.5"), 0);
  EXPECT_EQ(CompareNumbers("1e3", "1000.0"), 0);
  EXPECT_EQ(CompareNumbers("-0", "0.0"), 0);
  EXPECT_LT(CompareNumbers("-3", "0.001"), 0);
  EXPECT_GT(CompareNumbers("12", "1.3"), 0);
}

TEST(Number, DatesCountDaysAndRefuseDaysThatDoNotExist) {
  EXPECT_EQ(ParseDate("1970-01-02"), 1);
  EXPECT_EQ(ParseDate("1970-01-01T12:00:00"), 0.5);
  EXPECT_EQ(ParseDate("1970-01-01 12:00:00+12:00"), 0);
  EXPECT_TRUE(IsDate("2024-02-29"));
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-1-1", "2024-01-01T25:00", "2024-01-01x", "12", ""}) {
    EXPECT_FALSE(IsDate(text)) << text;
  }
  EXPECT_LT(DateKey("2024-01-01T00:00:00.000000001Z"), DateKey("2024-01-01T00:00:00.000000002Z"));
}

}  // namespace
}  // namespace tada
