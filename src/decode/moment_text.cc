#include "decode/moment_text.h"

#include <algorithm>
#include <cmath>

#include "table/value_text.h"

namespace tada {
namespace {

constexpr double kMinutes = 1440, kSeconds = 86400, kMicroseconds = 86400e6;
constexpr size_t kDayLength = 10, kMinuteLength = 16, kSecondLength = 19;  // of 2024-02-29T12:30:00

// Whole units up to a number of days. Days are doubles: what a whole unit is short of by less than that tells is one.
double Units(double days, double per_day) {
  const double units = days * per_day, nearest = std::round(units);
  return std::abs(units - nearest) < std::max(1e-6, 4e-16 * std::abs(units)) ? nearest : std::floor(units);
}

}  // namespace

void MomentStyle::Follow(std::string_view text) {
  if (text.size() <= kDayLength) return;
  const bool zone = text.find_first_of("Z+-", kDayLength) != std::string_view::npos;
  const bool seconds = text.size() > kMinuteLength && text[kMinuteLength] == ':';
  const bool fraction = seconds && text.size() > kSecondLength && text[kSecondLength] == '.';
  if (per_day == 1) separator = text[kDayLength];
  per_day = std::max(per_day, fraction ? kMicroseconds : seconds ? kSeconds : kMinutes);
  has_zone = has_zone || zone;
}

double MomentStyle::RoundDown(double days) const { return Units(days, per_day) / per_day; }

std::string MomentText(double days, const MomentStyle& style) {
  const double units = Units(days, style.per_day);
  std::string scratch;
  std::string_view text;
  if (style.per_day > 1) {
    const bool fraction = style.per_day == kMicroseconds;
    const auto moment = static_cast<int64_t>(style.per_day == kMinutes ? units * 60 : units);
    if (TimestampText(moment, fraction ? 6 : 0, style.has_zone, scratch, text) == TextState::kText) {
      std::string written(text);
      written[kDayLength] = style.separator;
      if (style.per_day == kMinutes) written.erase(kMinuteLength, kSecondLength - kMinuteLength);
      return written;
    }
  }
  return DateText(static_cast<int64_t>(std::floor(days)));
}

}  // namespace tada
