#include "base/characters.h"

#include <gtest/gtest.h>

#include <string>

namespace tada {
namespace {

TEST(Characters, HaveOneToFourBytes) {
  EXPECT_EQ(Utf8Length("a"), 1u);
  EXPECT_EQ(Utf8Length("\xC3\xBC"
                       "b"),
            2u);
  EXPECT_EQ(Utf8Length("\xE2\x82\xAC"), 3u);
  EXPECT_EQ(Utf8Length("\xF0\x9F\x99\x82"), 4u);
  EXPECT_TRUE(HoldsUtf8("Z\xC3\xBCrich \xE2\x82\xAC \xF4\x8F\xBF\xBF"));
  EXPECT_TRUE(HoldsUtf8(""));
}

TEST(Characters, AreNotCutOverlongHalvesOrBeyondUnicode) {
  for (const std::string text : {"\xFF", "\x80", "\xC3", "\xC3(", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE2\x82",
                                 "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_EQ(Utf8Length(text), 0u) << testing::PrintToString(text);
    EXPECT_FALSE(HoldsUtf8("a" + text + "b")) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace tada
