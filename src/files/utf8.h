#pragma once

// Whether bytes are UTF-8.

#include <cstdint>
#include <string>
#include <string_view>

namespace tada {

inline constexpr const char* kNotUtf8Hint =
    "Convert the file to UTF-8, e.g. iconv -f latin1 -t utf-8 (or -f utf-16, or whatever it is written in).";

bool IsUtf8(std::string_view bytes);

/// Looks at bytes that come in pieces, which may cut a character.
class Utf8Check {
 public:
  /// False once anything that came is not UTF-8.
  bool Feed(std::string_view bytes);
  /// At the end: whether everything was UTF-8, and no character is unfinished.
  bool Finish() const { return valid_ && cut_.empty(); }

 private:
  bool valid_ = true;
  std::string cut_;  // the first bytes of a character whose rest is still to come
};

}  // namespace tada
