#pragma once

// Characters of UTF-8, one after the other; files/utf8.h looks at whole files, and faster.

#include <cstddef>
#include <string_view>

namespace tada {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// How many bytes the character has that `text` begins with; 0 if those bytes are not UTF-8 (cut off, longer than need be, a
/// half of a pair of UTF-16, beyond U+10FFFF). Pre: text is not empty.
size_t Utf8Length(std::string_view text);

/// Whether all of `text` is UTF-8.
bool HoldsUtf8(std::string_view text);

}  // namespace tada
