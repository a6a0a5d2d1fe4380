#include "cli/terminal/escaping_stream.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/option_mark.h"

namespace tada {
namespace {

std::string Shown(std::string_view text) {
  std::ostringstream target;
  EscapingStream stream(target);
  stream << text << std::flush;
  return target.str();
}

TEST(EscapingStream, ControlCharactersAreWrittenOut) {
  EXPECT_EQ(Shown("a\x1b[2Jb\x07\r\x7f"), "a\\u001b[2Jb\\u0007\\u000d\\u007f");
  EXPECT_EQ(Shown("\xC2\x9B"
                  "31m"),
            "\\u009b31m");
  EXPECT_EQ(Shown("\xE2\x80\xAE"
                  "txt.exe\xE2\x81\xA6"),
            "\\u202etxt.exe\\u2066");
  EXPECT_EQ(Shown(std::string_view("a\0b", 3)), "a\\u0000b");
}

TEST(EscapingStream, OptionsAreSpelledAndTheirValuesEscaped) {
  EXPECT_EQ(Shown("Use " TADA_OPTION("range=cut") ", or leave " TADA_OPTION("-l") " out."),
            "Use --range cut, or leave -l out.");
  EXPECT_EQ(Shown(TADA_OPTION("hierarchy=a\x1b[2J")), "--hierarchy a\\u001b[2J");
}

TEST(EscapingStream, OtherTextIsAsItWas) {
  for (const std::string text : {"plain\n\ttext", "caf\xC3\xA9 \xC2\xA0 \xE2\x82\xAC \xE2\x80\x93 \xF0\x9F\x98\x80",
                                 "\xC2", "\xE2\x80", "\xC2x\xE2\x80y", "\x80\xff"}) {
    EXPECT_EQ(Shown(text), text);
  }
}

}  // namespace
}  // namespace tada
