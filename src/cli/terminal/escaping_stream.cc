#include "cli/terminal/escaping_stream.h"

#include <fmt/format.h>

#include <utility>

#include "base/option_mark.h"

namespace tada {
namespace {

// Of the characters that are escaped, those of several bytes: C1 controls (C2 80 to C2 9F) and directions (U+200E, U+200F, U+202A to U+202E,
// U+2066 to U+2069: E2 80 .. and E2 81 ..).
bool MayBegin(std::string_view bytes) {
  return bytes == "\xC2" || bytes == "\xE2" || bytes == "\xE2\x80" || bytes == "\xE2\x81" || bytes == "\xEE" ||
         bytes == "\xEE\x80";
}

// Whether the mark of an option has begun that is to be spelled when it is complete.
bool IsOpenMark(std::string_view bytes) {
  constexpr size_t kLongest = 1 << 12;  // of anything else that begins like one
  return bytes.starts_with("\xEE\x80\x80") && !bytes.ends_with("\xEE\x80\x81") && bytes.size() < kLongest;
}

bool TurnsText(unsigned character) {
  return character == 0x200E || character == 0x200F || (character >= 0x202A && character <= 0x202E) ||
         (character >= 0x2066 && character <= 0x2069);
}

std::string Escaped(const std::string& bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() == 2 && byte(0) != 0xc2) return bytes;  // the beginning of another character
  unsigned character = byte(0);
  if (bytes.size() == 2) character = (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
  if (bytes.size() == 3) character = (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
  const bool plain = character == '\n' || character == '\t';
  const bool control = character < 0x20 || character == 0x7f || (bytes.size() == 2 && character < 0xa0);
  return plain || !(control || TurnsText(character)) ? bytes : fmt::format("\\u{:04x}", character);
}

}  // namespace

EscapingBuffer::int_type EscapingBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  const bool continues = (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
  const bool in_mark = IsOpenMark(held_);
  if (!held_.empty() && !continues && !in_mark) {
    target_ << held_;
    held_.clear();
  }
  held_ += byte;
  if (MayBegin(held_) || IsOpenMark(held_)) return c;
  if (in_mark) {
    for (const char spelled : OnCommandLine(std::exchange(held_, ""))) overflow(traits_type::to_int_type(spelled));
    return target_ ? c : traits_type::eof();
  }
  target_ << Escaped(held_.size() > 1 || !continues ? held_ : std::string(1, byte));
  held_.clear();
  return target_ ? c : traits_type::eof();
}

int EscapingBuffer::sync() {
  target_ << held_;
  held_.clear();
  return target_.flush() ? 0 : -1;
}

}  // namespace tada
