#include "base/disk/toml_file.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

// toml++ asserts what these break.
TEST(TomlFile, NamesOfTablesThatNeedQuotesAreAnError) {
  for (const char* text : {"k = 2\n[?]", "k = 2\n[*]\n", "k = 2\n[é]\n", "k = 2\n[[?]]", "k = 2\n [ \t?]",
                           "k = 2\n[\n?]", "k = 2\n[+]\n", "k = 2\n[\xc3]"}) {
    const auto parsed = ParseToml(text, "p.toml");
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(parsed.error().message.starts_with("p.toml:2:")) << parsed.error().message;
  }
}

// What toml++ asserts where it may not throw, the end of the program otherwise.
TEST(TomlFile, AnAssertionThatCannotBeThrownIsNoted) {
  EXPECT_FALSE(TakeTomlFailure());
  toml::impl::utf8_reader<std::string_view> reader(std::string_view("x"));
  toml::impl::utf8_buffered_reader buffered(reader);
  static_cast<void>(buffered.step_back(1));  // over the beginning
  EXPECT_TRUE(TakeTomlFailure());
  EXPECT_FALSE(TakeTomlFailure());
  EXPECT_THROW(FailTomlAssertion("parse_key"), TomlAssertion);
}

TEST(TomlFile, AnyShortTextIsATableOrAnError) {
  constexpr std::string_view kCharacters = "[]{}=?*a1\"'#.,\n \\-+";
  const size_t n = kCharacters.size();
  for (size_t number = 0; number < n * n * n * n; ++number) {
    std::string text;
    for (size_t left = number, i = 0; i < 4; ++i, left /= n) text += kCharacters[left % n];
    const auto parsed = ParseToml(text, "p.toml");
    EXPECT_TRUE(parsed.ok() || parsed.error().message.find("not TOML") != std::string::npos) << text;
  }
}

TEST(TomlFile, CharactersBeyondAsciiStandInQuotesAndComments) {
  EXPECT_TRUE(ParseToml("\xEF\xBB\xBF# größe\n\"größe\" = 'é'\n[columns.'ä']\na = \"\\\"é\" # é\nb = \"\"\"\né \" "
                        "é\n\"\"\"\nc = '''é'''\n",
                        "p")
                  .ok());
  for (const char* text : {"größe = 1", "a = 'x' é", "a = 1 # \"\nb = é", "a = \"\"\"x\"\"\" é"}) {
    EXPECT_FALSE(ParseToml(text, "p").ok()) << text;
  }
}

TEST(TomlFile, NestedArraysAreNoNames) {
  EXPECT_TRUE(ParseToml("a = [\n[[1], [+2]],\n[{b = 1}],\n]\nc = '''\n[?]\n'''\n", "p.toml").ok());
}

}  // namespace
}  // namespace tada
