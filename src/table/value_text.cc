#include "table/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace tada {
namespace {

constexpr int64_t kFirst = -719528, kLast = 2932896;  // 0000-01-01 and 9999-12-31

bool AppendDate(int64_t days, std::string& out) {
  if (days < kFirst || days > kLast) return false;
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return true;
}

// `value` parted by `unit`, rounded down, and what is left, never negative.
std::pair<int64_t, int64_t> FloorDivide(int64_t value, int64_t unit) {
  const int64_t quotient = value / unit - (value % unit < 0 ? 1 : 0);
  return {quotient, value - quotient * unit};
}

}  // namespace

TextState DecimalText(int32_t scale, std::string& scratch, std::string_view& text) {
  const bool negative = scratch.starts_with('-');
  if (negative) scratch.erase(0, 1);
  if (scale > 0) {
    const auto behind = static_cast<size_t>(scale);
    if (scratch.size() <= behind) scratch.insert(0, behind + 1 - scratch.size(), '0');
    scratch.insert(scratch.size() - behind, 1, '.');
  } else if (scratch != "0") {
    scratch.append(static_cast<size_t>(-scale), '0');
  }
  if (negative) scratch.insert(scratch.begin(), '-');
  text = scratch;
  return TextState::kText;
}

TextState DateText(int64_t days, std::string& scratch, std::string_view& text) {
  scratch.clear();
  if (!AppendDate(days, scratch)) return TextState::kNotText;
  text = scratch;
  return TextState::kText;
}

TextState DateOfMillisecondsText(int64_t milliseconds, std::string& scratch, std::string_view& text) {
  return DateText(FloorDivide(milliseconds, 86'400'000).first, scratch, text);
}

TextState TimestampText(int64_t value, int fraction_digits, bool has_zone, std::string& scratch,
                        std::string_view& text) {
  int64_t per_second = 1;
  for (int i = 0; i < fraction_digits; ++i) per_second *= 10;
  const auto [seconds, fraction] = FloorDivide(value, per_second);
  const auto [days, of_day] = FloorDivide(seconds, 86400);
  scratch.clear();
  if (!AppendDate(days, scratch)) return TextState::kNotText;
  fmt::format_to(std::back_inserter(scratch), "T{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60);
  if (fraction != 0) {
    const std::string written = std::to_string(fraction + per_second);  // a 1 before the digits keeps their zeros
    scratch += '.';
    scratch.append(written, 1);
    scratch.erase(scratch.find_last_not_of('0') + 1);
  }
  if (has_zone) scratch += 'Z';
  text = scratch;
  return TextState::kText;
}

std::string DateText(int64_t days) {
  std::string text;
  AppendDate(std::clamp(days, kFirst, kLast), text);
  return text;
}

}  // namespace tada
