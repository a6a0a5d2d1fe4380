#include "base/decimal.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(Decimal, IsWhatIsWritten) {
  EXPECT_EQ(ParseDecimal("0.3")->digits, 3u);
  EXPECT_EQ(ParseDecimal("0.3")->scale(), 10u);
  EXPECT_EQ(ParseDecimal(".09")->digits, 9u);
  EXPECT_EQ(ParseDecimal(".09")->scale(), 100u);
  EXPECT_EQ(ParseDecimal("2")->scale(), 1u);
  EXPECT_EQ(ParseDecimal("0.500000000000000")->digits, 5u);
  EXPECT_EQ(ParseDecimal("12.")->digits, 12u);
}

TEST(Decimal, IsNothingElse) {
  for (const char* text : {"", ".", "-1", "+1", "1e3", "0.1234567891", "1,5", "0.3.1", " 1", "nan", "1234567890"}) {
    EXPECT_FALSE(ParseDecimal(text)) << text;
  }
}

TEST(Decimal, ComparesFractionsExactly) {
  const Decimal third = *ParseDecimal("0.3");
  EXPECT_TRUE(third.AtLeast(30, 100));
  EXPECT_FALSE(third.AtLeast(3'000'000'001, 10'000'000'000));
}

TEST(Decimal, IsWrittenWithoutIdleZeros) {
  EXPECT_EQ(DecimalText(1987, 4), "0.1987");
  EXPECT_EQ(DecimalText(2000, 4), "0.2");
  EXPECT_EQ(DecimalText(0, 4), "0");
  EXPECT_EQ(DecimalText(10000, 4), "1");
  EXPECT_EQ(DecimalText(7, 0), "7");
}

}  // namespace
}  // namespace tada
