#include "files/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace tada {
namespace {

// The bytes of a number as UTF-8 would write it in `length` bytes, whether it may or not.
std::string Written(uint32_t point, int length) {
  if (length == 1) return std::string(1, static_cast<char>(point));
  std::string bytes(length, '\0');
  for (int i = length - 1; i > 0; --i, point >>= 6) bytes[i] = static_cast<char>(0x80 | (point & 0x3F));
  bytes[0] = static_cast<char>((0xF00 >> length & 0xFF) | point);
  return bytes;
}

int ShortestLength(uint32_t point) { return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4; }

TEST(Utf8, TakesEveryCharacterInItsShortestFormAndNothingElse) {
  for (uint32_t point = 0; point < 0x120000; ++point) {
    const bool half_of_pair = point >= 0xD800 && point < 0xE000;
    const bool exists = point < 0x110000 && !half_of_pair;
    const int shortest = ShortestLength(point);
    ASSERT_EQ(IsUtf8(Written(point, shortest)), exists) << point;
    for (int length = shortest + 1; length <= 4; ++length) ASSERT_FALSE(IsUtf8(Written(point, length))) << point;
  }
}

TEST(Utf8, RefusesCharactersThatAreCut) {
  for (const std::string_view text : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    EXPECT_TRUE(IsUtf8(text));
    for (size_t length = 1; length < text.size(); ++length) {
      const std::string cut(text.substr(0, length));
      EXPECT_FALSE(IsUtf8(cut));
      EXPECT_FALSE(IsUtf8(cut + "x"));
      EXPECT_FALSE(IsUtf8("eight of ASCII, " + cut + "eight of ASCII"));
      EXPECT_FALSE(IsUtf8(std::string(text.substr(length))));
    }
  }
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_FALSE(IsUtf8("\xFF"));
}

}  // namespace
}  // namespace tada
