#pragma once

// Words for people whose form depends on a number.

#include <cstdint>
#include <string>
#include <string_view>

namespace tada {

/// "row" for one, else "rows", or `plural` if it is given.
std::string PluralWord(uint64_t count, std::string_view word, std::string_view plural = "");

/// "1 row", "2 rows".
std::string Plural(uint64_t count, std::string_view word, std::string_view plural = "");

}  // namespace tada
