#pragma once

// Names of months in English, German, French, Spanish, Italian, Portuguese and Dutch, short and long.

#include <cstddef>
#include <optional>
#include <string_view>

namespace tada {

struct MonthName {
  int month = 0;      ///< from 1
  size_t length = 0;  ///< bytes, the point of a short form too
};

/// The name that `text` begins with, in any case of letters: the whole word must be one.
std::optional<MonthName> ReadMonthName(std::string_view text);

/// "Jan" or "January". Pre: 1 to 12.
std::string_view EnglishMonth(int month, bool is_long);

/// Bytes of the word of letters at the front of `text`; those beyond ASCII count as letters.
size_t WordLength(std::string_view text);

}  // namespace tada
