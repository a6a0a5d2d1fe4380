#pragma once

// Reads and writes numbers with decimal commas or points, thousands apart, and units around them.
//   body    `1.234,5` with a decimal comma, `1,234.5` with a point; thousands may also stand apart by blanks (also those that do not
//           break) or apostrophes. A number with thousands apart has three digits in every group but the first, which begins with no zero.
//   units   signs and codes of currencies, percent.

#include <optional>
#include <string>
#include <string_view>

namespace tada {

/// The number plainly, as `-1234.5`; nothing for what is none.
std::optional<std::string> PlainNumber(std::string_view text, bool decimal_comma);

}  // namespace tada
