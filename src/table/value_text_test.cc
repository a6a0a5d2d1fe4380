#include "table/value_text.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace tada {
namespace {

std::string Text(const std::function<TextState(std::string&, std::string_view&)>& write) {
  std::string scratch;
  std::string_view text;
  switch (write(scratch, text)) {
    case TextState::kText:
      return std::string(text);
    case TextState::kNull:
      return "null";
    case TextState::kNotText:
      return "no text";
  }
  return "";
}

std::string Number(auto value) {
  return Text([=](auto& scratch, auto& text) { return NumberText(value, scratch, text); });
}

std::string Decimal(const std::string& digits, int32_t scale) {
  return Text([&](auto& scratch, auto& text) {
    scratch = digits;
    return DecimalText(scale, scratch, text);
  });
}

std::string Day(int64_t days) {
  return Text([=](auto& scratch, auto& text) { return DateText(days, scratch, text); });
}

std::string Moment(int64_t value, int digits, bool has_zone) {
  return Text([=](auto& scratch, auto& text) { return TimestampText(value, digits, has_zone, scratch, text); });
}

TEST(ValueText, NumbersAreAsShortAsTheyReadBackTheSame) {
  EXPECT_EQ(Number(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(Number(0.1), "0.1");
  EXPECT_EQ(Number(0.1f), "0.1");
  EXPECT_EQ(Number(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(ValueText, DecimalsAreExact) {
  EXPECT_EQ(Decimal("12345", 2), "123.45");
  EXPECT_EQ(Decimal("-5", 3), "-0.005");
  EXPECT_EQ(Decimal("7", -2), "700");
  EXPECT_EQ(Decimal("0", -2), "0");
}

TEST(ValueText, DaysAndMomentsBeforeTheEpochRoundDown) {
  EXPECT_EQ(Day(0), "1970-01-01");
  EXPECT_EQ(Day(-1), "1969-12-31");
  EXPECT_EQ(Day(2932896), "9999-12-31");
  EXPECT_EQ(Day(2932897), "no text");
  EXPECT_EQ(DateText(2932897), "9999-12-31");
  EXPECT_EQ(Text([](auto& scratch, auto& text) { return DateOfMillisecondsText(-1, scratch, text); }), "1969-12-31");
  EXPECT_EQ(Moment(-1, 0, false), "1969-12-31T23:59:59");
  EXPECT_EQ(Moment(-1, 9, true), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(Moment(1500, 3, false), "1970-01-01T00:00:01.5");
  EXPECT_EQ(Moment(std::numeric_limits<int64_t>::max(), 0, false), "no text");
}

}  // namespace
}  // namespace tada
