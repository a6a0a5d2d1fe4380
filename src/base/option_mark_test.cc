#include "base/option_mark.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(OptionMark, EachFrontEndSpellsOptionsItsOwnWay) {
  const std::string text = TADA_OPTION("range=cut") " needs " TADA_OPTION("domain") ", and " TADA_OPTION("-l") " too";
  EXPECT_EQ(OnCommandLine(text), "--range cut needs --domain, and -l too");
  EXPECT_EQ(AsKeys(text), "range = cut needs domain, and l too");
  EXPECT_EQ(AsKeys("Name a file with " TADA_OPTION("-o") "."), "Name a file with output.");
}

TEST(OptionMark, NamesAndValuesMayBeFilledIn) {
  EXPECT_EQ(OnCommandLine(fmt::format(TADA_OPTION("{}") " is below k={}", "safe", 5)), "--safe is below k=5");
  EXPECT_EQ(OnCommandLine(fmt::format(TADA_OPTION("hierarchy={}=<file>"), "age")), "--hierarchy age=<file>");
}

TEST(OptionMark, WhatOnlyLooksLikeAnOptionStays) {
  for (const std::string text : {"", "a column called --quasi", "\xEE\x80\x80 that never ends", "\xEE\x80\x81 alone"}) {
    EXPECT_EQ(OnCommandLine(text), text);
    EXPECT_EQ(AsKeys(text), text);
  }
}

}  // namespace
}  // namespace tada
