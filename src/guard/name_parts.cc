#include "guard/name_parts.h"

#include <algorithm>
#include <cctype>

namespace tada {
namespace {

// The letters of U+00C0 to U+017F without their accents; "" where there is none.
constexpr std::string_view kPlain[] = {
    "a", "a", "a", "a", "a", "a", "ae", "c", "e", "e",  "e", "e", "i", "i", "i", "i", "d",  "n",  "o", "o", "o", "o",
    "o", "",  "o", "u", "u", "u", "u",  "y", "",  "ss",  // C0 to DF
    "a", "a", "a", "a", "a", "a", "ae", "c", "e", "e",  "e", "e", "i", "i", "i", "i", "d",  "n",  "o", "o", "o", "o",
    "o", "",  "o", "u", "u", "u", "u",  "y", "",  "y",  // E0 to FF
    "a", "a", "a", "a", "a", "a", "c",  "c", "c", "c",  "c", "c", "c", "c", "d", "d", "d",  "d",  "e", "e", "e", "e",
    "e", "e", "e", "e", "e", "e", "g",  "g", "g", "g",  "g", "g", "g", "g", "h", "h", "h",  "h",  "i", "i", "i", "i",
    "i", "i", "i", "i", "i", "i", "",   "",  "j", "j",  "k", "k", "k", "l", "l", "l", "l",  "l",  "l", "l", "l", "l",
    "l", "n", "n", "n", "n", "n", "n",  "n", "n", "n",  "o", "o", "o", "o", "o", "o", "oe", "oe", "r", "r", "r", "r",
    "r", "r", "s", "s", "s", "s", "s",  "s", "s", "s",  "t", "t", "t", "t", "t", "t", "u",  "u",  "u", "u", "u", "u",
    "u", "u", "u", "u", "u", "u", "w",  "w", "y", "y",  "y", "z", "z", "z", "z", "z", "z",  "s"};  // 100 to 17F

// The letter that begins at `at`, which moves behind it: in small letters, without accent.
std::string_view Letter(std::string_view name, size_t& at, char (&buffer)[1]) {
  const auto byte = static_cast<unsigned char>(name[at]);
  if (byte >= 0xC3 && byte <= 0xC5 && at + 1 < name.size()) {
    const unsigned code = (byte & 0x1Fu) << 6 | (static_cast<unsigned char>(name[at + 1]) & 0x3Fu);
    at += 2;
    return kPlain[code - 0xC0];
  }
  buffer[0] = static_cast<char>(std::tolower(byte));
  ++at;
  return {buffer, 1};
}

}  // namespace

std::vector<std::string> NameParts(std::string_view name) {
  std::vector<std::string> parts(1);
  char before = ' ';
  for (size_t at = 0; at < name.size();) {
    const char c = name[at];
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalnum(byte) != 0 || byte >= 0x80;
    const bool hump = std::isupper(byte) != 0 && std::islower(static_cast<unsigned char>(before)) != 0;
    if ((!letter || hump) && !parts.back().empty()) parts.emplace_back();
    char buffer[1];
    const std::string_view plain = Letter(name, at, buffer);
    if (letter) parts.back() += plain;
    before = c;
  }
  if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return parts;
}

bool NameHas(const std::vector<std::string>& parts, std::string_view word) {
  if (std::ranges::find(parts, word) != parts.end()) return true;
  if (word.size() < 5) return false;
  std::string together;
  for (const std::string& part : parts) together += part;
  return together.find(word) != std::string::npos;
}

}  // namespace tada
