#pragma once

// The texts that typed values have in a table: integers in decimal, floats as short as they read back the same, decimals
// exactly, dates and time stamps as ISO 8601 (`2024-02-29`, `2024-02-29T12:30:00.25`, `Z` behind if there is a time
// zone). Both readers of Arrow, of files (files/arrow/) and of streams (files/c_stream/), write them by these functions.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tada {

enum class TextState {
  kText,
  kNull,     ///< also a float that is not a number: no value
  kNotText,  ///< a date before year 0 or after year 9999, which has no ISO form
};

/// `text` becomes a view of `scratch`, here and below.
template <class Number>
TextState NumberText(Number value, std::string& scratch, std::string_view& text) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(value)) return TextState::kNull;
  }
  scratch.resize(64);
  const auto end = std::to_chars(scratch.data(), scratch.data() + scratch.size(), value).ptr;
  text = std::string_view(scratch.data(), static_cast<size_t>(end - scratch.data()));
  return TextState::kText;
}

/// Of a decimal whose digits, with their sign, are in `scratch` and whose last `scale` ones are behind the point.
TextState DecimalText(int32_t scale, std::string& scratch, std::string_view& text);

/// Of a day since 1970-01-01.
TextState DateText(int64_t days, std::string& scratch, std::string_view& text);

/// Of a day in milliseconds since 1970-01-01, which Arrow has too.
TextState DateOfMillisecondsText(int64_t milliseconds, std::string& scratch, std::string_view& text);

/// Of a moment since 1970-01-01 in seconds, or in parts of which 10^fraction_digits make a second.
TextState TimestampText(int64_t value, int fraction_digits, bool has_zone, std::string& scratch,
                        std::string_view& text);

/// A day as above; one outside the years 0 to 9999 is the nearest inside.
std::string DateText(int64_t days);

}  // namespace tada
