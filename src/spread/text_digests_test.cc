#include "spread/text_digests.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tada {
namespace {

TEST(TextDigestTest, DifferentTextsHaveDifferentOnes) {
  std::set<std::array<uint64_t, 2>> found;
  std::set<uint64_t> first, second;
  size_t texts = 0;
  const auto add = [&](uint8_t tag, const std::string& text) {
    const auto digest = TextDigest(tag, text);
    found.insert(digest);
    first.insert(digest[0]);
    second.insert(digest[1]);
    ++texts;
  };
  for (int i = 0; i < 20000; ++i) add('s', std::to_string(i));
  for (int i = 0; i < 20; ++i) add('s', std::string(i, '\0'));
  for (int i = 1; i < 20; ++i) add('s', std::string(i, 'x'));
  for (int i = 1; i < 20; ++i) add('s', std::string(8, 'x') + std::string(i, 'y'));
  for (const uint8_t tag : {'n', 'o', 'p'}) add(tag, "1");
  EXPECT_EQ(found.size(), texts);
  EXPECT_EQ(first.size(), texts);
  EXPECT_EQ(second.size(), texts);
}

TEST(TextDigestTest, IsTheSameEverywhere) {
  const std::array<uint64_t, 2> expected{0xAE39C1B4B51C9FD2u, 0xD2C28A3169A7365Du};
  EXPECT_EQ(TextDigest('s', "12345678 and more"), expected);
}

}  // namespace
}  // namespace tada
