#include "table/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "base/characters.h"

namespace tada {
namespace {

// A number taken apart: sign, the digits without leading and trailing zeros, and the power of ten such that the
// value is 0.DIGITS * 10^exponent. Zero has no digits.
struct Parts {
  bool negative = false;
  std::string digits;
  int64_t exponent = 0;
};

Parts TakeApart(std::string_view text) {
  Parts parts;
  size_t i = 0;
  if (text[i] == '+' || text[i] == '-') parts.negative = text[i++] == '-';
  int64_t before_point = 0;
  bool point = false;
  for (; i < text.size() && (IsDigit(text[i]) || text[i] == '.'); ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    parts.digits += text[i];
    if (!point) ++before_point;
  }
  int64_t written = 0;
  if (i < text.size()) {  // e or E
    ++i;
    if (text[i] == '+') ++i;
    if (std::from_chars(text.data() + i, text.data() + text.size(), written).ec == std::errc::result_out_of_range) {
      written = text[i] == '-' ? -1'000'000'000'000'000 : 1'000'000'000'000'000;
    }
  }
  const size_t leading = std::min(parts.digits.find_first_not_of('0'), parts.digits.size());
  parts.digits.erase(0, leading);
  parts.digits.erase(parts.digits.find_last_not_of('0') + 1);
  parts.exponent = before_point - static_cast<int64_t>(leading) + written;
  if (parts.digits.empty()) parts = Parts{};
  return parts;
}

// An integer of so few digits that a double holds it, which is most of what columns of numbers hold.
std::optional<double> ShortInteger(std::string_view text) {
  constexpr size_t kMostDigits = 15;
  const bool has_sign = text[0] == '+' || text[0] == '-';
  if (text.size() - has_sign > kMostDigits) return std::nullopt;
  int64_t value = 0;
  for (const char c : text.substr(has_sign)) {
    if (!IsDigit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return text[0] == '-' ? -static_cast<double>(value) : static_cast<double>(value);
}

// A date taken apart; `seconds` counts from 1970-01-01T00:00 UTC, `fraction` holds the digits behind the point.
struct Moment {
  int64_t seconds = 0;
  std::string fraction;
};

std::optional<int> Digits(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (size_t i = at; i < at + count; ++i) {
    if (!IsDigit(text[i])) return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// Reads `Z`, `+hh`, `+hhmm` or `+hh:mm` at `at` to the end; the offset in seconds.
std::optional<int64_t> ParseOffset(std::string_view text, size_t at) {
  if (at == text.size()) return 0;
  if (text[at] == 'Z' && at + 1 == text.size()) return 0;
  if (text[at] != '+' && text[at] != '-') return std::nullopt;
  const auto hours = Digits(text, at + 1, 2);
  if (!hours) return std::nullopt;
  size_t next = at + 3;
  int minutes = 0;
  if (next < text.size()) {
    if (text[next] == ':') ++next;
    const auto given = Digits(text, next, 2);
    if (!given || next + 2 != text.size()) return std::nullopt;
    minutes = *given;
  }
  const int64_t offset = *hours * 3600 + minutes * 60;
  return text[at] == '-' ? -offset : offset;
}

std::optional<Moment> ParseMoment(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = Digits(text, 0, 4), month = Digits(text, 5, 2), day = Digits(text, 8, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  Moment moment{std::chrono::sys_days(date).time_since_epoch().count() * 86400LL, ""};
  if (text.size() == 10) return moment;
  if ((text[10] != 'T' && text[10] != ' ') || text.size() < 16 || text[13] != ':') return std::nullopt;
  const auto hour = Digits(text, 11, 2), minute = Digits(text, 14, 2);
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  moment.seconds += *hour * 3600 + *minute * 60;
  size_t at = 16;
  if (at < text.size() && text[at] == ':') {
    const auto second = Digits(text, 17, 2);
    if (!second || *second > 60) return std::nullopt;
    moment.seconds += *second;
    at = 19;
    if (at < text.size() && text[at] == '.') {
      const size_t begin = ++at;
      while (at < text.size() && IsDigit(text[at])) ++at;
      if (at == begin) return std::nullopt;
      moment.fraction = text.substr(begin, at - begin);
      moment.fraction.erase(moment.fraction.find_last_not_of('0') + 1);
    }
  }
  const auto offset = ParseOffset(text, at);
  if (!offset) return std::nullopt;
  moment.seconds -= *offset;
  return moment;
}

}  // namespace

std::optional<double> ParseNumber(std::string_view text) {
  // The grammar first, by hand: from_chars takes "inf" and "nan" and refuses a leading plus.
  size_t i = 0;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  size_t digits = 0;
  for (; i < text.size() && IsDigit(text[i]); ++i) ++digits;
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && IsDigit(text[i]); ++i) ++digits;
  }
  if (digits == 0) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    const size_t begin = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    if (i == begin) return std::nullopt;
  }
  if (i != text.size()) return std::nullopt;
  if (const auto integer = ShortInteger(text)) return integer;
  const std::string_view body = text[0] == '+' ? text.substr(1) : text;
  double value = 0;
  const auto parsed = std::from_chars(body.data(), body.data() + body.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) return std::nullopt;  // no double holds it: treated as text
  return value;
}

std::optional<double> ParseDate(std::string_view text) {
  const auto moment = ParseMoment(text);
  if (!moment) return std::nullopt;
  double days = static_cast<double>(moment->seconds) / 86400.0;
  if (!moment->fraction.empty()) days += std::strtod(("0." + moment->fraction).c_str(), nullptr) / 86400.0;
  return days;
}

int CompareNumbers(std::string_view a, std::string_view b) {
  if (a == b) return 0;
  const Parts x = TakeApart(a), y = TakeApart(b);
  const int sign_x = x.digits.empty() ? 0 : x.negative ? -1 : 1;
  const int sign_y = y.digits.empty() ? 0 : y.negative ? -1 : 1;
  if (sign_x != sign_y) return sign_x < sign_y ? -1 : 1;
  if (sign_x == 0) return 0;
  int magnitude = 0;
  if (x.exponent != y.exponent) {
    magnitude = x.exponent < y.exponent ? -1 : 1;
  } else if (const int order = x.digits.compare(y.digits); order != 0) {
    magnitude = order < 0 ? -1 : 1;
  }
  return sign_x * magnitude;
}

std::string DateKey(std::string_view text) {
  const auto moment = ParseMoment(text);
  // Shifted so that years 0000 to 9999 are positive and sort as text.
  return fmt::format("{:015d}.{}", moment->seconds + 100'000'000'000, moment->fraction);
}

}  // namespace tada
