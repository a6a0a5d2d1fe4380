#pragma once

// Whether bytes are UTF-8.

#include <cstdint>
#include <string_view>

#include "base/option_mark.h"

namespace tada {

inline constexpr const char* kNotUtf8Hint =
    "Say what it is written in: " TADA_OPTION("charset=cp1252") " for most of what comes from Windows, or latin1, utf-16, ...; or "
    "convert "
    "it to UTF-8.";

/// Looks at bytes one after the other. ASCII bytes between characters may be left out.
class Utf8Check {
 public:
  void Take(unsigned char byte) {
    if (missing_ == 0) {
      TakeFirst(byte);
    } else if (byte >= lowest_ && byte <= highest_) {
      --missing_;
      lowest_ = 0x80;
      highest_ = 0xBF;
    } else {
      valid_ = false;
    }
  }
  /// Whether a character is not complete.
  bool is_open() const { return missing_ != 0; }
  /// Whether everything so far may be UTF-8; false once it is not, whatever follows.
  bool is_valid() const { return valid_; }

 private:
  // The second byte of some characters has narrower bounds: no overlong forms, no halves of pairs, nothing above U+10FFFF.
  void TakeFirst(unsigned char byte) {
    if (byte < 0x80) return;
    valid_ = valid_ && byte >= 0xC2 && byte <= 0xF4;
    missing_ = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    lowest_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    highest_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  }

  bool valid_ = true;
  unsigned missing_ = 0;                          // further bytes of this character
  unsigned char lowest_ = 0x80, highest_ = 0xBF;  // what the next of them may be
};

bool IsUtf8(std::string_view bytes);

}  // namespace tada
