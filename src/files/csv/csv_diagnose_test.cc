#include "files/csv/csv_diagnose.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace tada {
namespace {

QuoteWatch Watched(std::string_view bytes, size_t piece) {
  QuoteWatch watch(',');
  for (size_t at = 0; at < bytes.size(); at += piece) watch.Feed(bytes.substr(at, piece));
  return watch;
}

TEST(QuoteWatch, TellsQuotedLineEnds) {
  EXPECT_FALSE(Watched("a,\"b,c\"\nd,e\n", 100).saw_quoted_line_end());
  EXPECT_TRUE(Watched("a,\"b\nc\"\nd,e\n", 100).saw_quoted_line_end());
  EXPECT_TRUE(Watched("a,\"b long enough for a word\rc\"\n", 100).saw_quoted_line_end());
  EXPECT_FALSE(Watched("a,\"b \"\"c\"\"\"\nd,e\n", 100).saw_quoted_line_end());
}

TEST(QuoteWatch, TellsOddQuotes) {
  EXPECT_FALSE(Watched("\"a\",\"\"\n\"b \"\"c\"\"\",1\n", 100).is_odd());
  EXPECT_TRUE(Watched("a,\"b\n", 100).is_odd());
  EXPECT_TRUE(Watched("a,b\"c\"d\n", 100).is_odd());
}

TEST(QuoteWatch, SeesTheSameInAnyPieces) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\"\"\",,\n\r\xC2")));
    const QuoteWatch one_by_one = Watched(bytes, 1);
    const QuoteWatch pieces = Watched(bytes, *rc::gen::inRange<size_t>(1, 40));
    RC_ASSERT(pieces.is_odd() == one_by_one.is_odd());
    RC_ASSERT(pieces.saw_quoted_line_end() == one_by_one.saw_quoted_line_end());
  }));
}

}  // namespace
}  // namespace tada
