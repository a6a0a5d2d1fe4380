#pragma once

// Decimals as they are written, exactly: `0.3` is 3/10 and not the nearest double. Thresholds are compared with fractions of
// counts, in 128 bits.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tada {

__extension__ using Wide = unsigned __int128;

struct Decimal {
  static constexpr uint32_t kMostPlaces = 9;

  uint64_t digits = 0;
  uint32_t places = 0;  ///< digits behind the point, at most kMostPlaces

  /// What the digits are divided by: 10 to the number of places.
  uint64_t scale() const;
  double value() const { return static_cast<double>(digits) / static_cast<double>(scale()); }
  /// Whether numerator/denominator is at most this. Pre: numerator < 2^98 and digits * denominator < 2^128.
  bool AtLeast(Wide numerator, Wide denominator) const { return numerator * scale() <= denominator * digits; }
};

/// Digits with at most one point, such as `0.3`, `.09` or `12`; nothing if the text is anything else, has more than
/// Decimal::kMostPlaces places that matter, or is not below 10^9.
std::optional<Decimal> ParseDecimal(std::string_view text);

/// `units` of 10^-places as people write them, without zeros that say nothing: 1987 of 10^-4 is "0.1987".
std::string DecimalText(uint64_t units, uint32_t places);

}  // namespace tada
