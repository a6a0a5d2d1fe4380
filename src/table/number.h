#pragma once

// Numbers and dates as people write them: `7`, `007`, `+5`, `1.50`, `1e3`, `.5`, `2024-02-29`,
// `2024-02-29T12:30:00Z`. Order is exact, however many digits: doubles first, and digit by digit where doubles are equal.

#include <optional>
#include <string>
#include <string_view>

namespace tada {

/// The number that `text` spells, rounded to a double; nothing for anything else (no blanks, no inf, no nan).
std::optional<double> ParseNumber(std::string_view text);

/// Days since 1970-01-01 of `YYYY-MM-DD`, or of a time stamp with its time of day as a fraction.
std::optional<double> ParseDate(std::string_view text);

/// Whether `text` is a date or time stamp, with a day that exists.
inline bool IsDate(std::string_view text) { return ParseDate(text).has_value(); }

/// Below 0, 0 or above 0 as the number spelled by `a` is smaller than, equal to or larger than that of `b`. Exact.
/// Pre: both spell numbers.
int CompareNumbers(std::string_view a, std::string_view b);

/// A time stamp in a form whose bytes sort as time does (UTC), for exact order beyond what a double holds.
/// Pre: IsDate(text).
std::string DateKey(std::string_view text);

}  // namespace tada
