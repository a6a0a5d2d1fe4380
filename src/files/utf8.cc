#include "files/utf8.h"

#include <cstring>

namespace tada {
namespace {

// Whether the next eight bytes are there, and all of them ASCII.
bool IsAsciiWord(std::string_view bytes, size_t at) {
  uint64_t word;
  if (bytes.size() - at < sizeof word) return false;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return (word & 0x8080808080808080ull) == 0;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  Utf8Check check;
  for (size_t at = 0; at < bytes.size() && check.is_valid();) {
    if (!check.is_open() && IsAsciiWord(bytes, at)) {
      at += 8;
    } else {
      check.Take(static_cast<unsigned char>(bytes[at++]));
    }
  }
  return check.is_valid() && !check.is_open();
}

}  // namespace tada
