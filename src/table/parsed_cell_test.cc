#include "table/parsed_cell.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace tada {
namespace {

using Form = ParsedCell::Form;

// An interval written out: `20<=x<=30`, with `<` for an open bound and nothing where there is none.
std::string Words(std::string_view text, Reading reading = Reading::kNumbers) {
  const ParsedCell cell = ParseCell(text, reading);
  if (cell.form != Form::kInterval) return "no interval";
  std::string words = "x";
  if (!cell.low.empty()) words = std::string(cell.low) + (cell.low_open ? "<" : "<=") + words;
  if (!cell.high.empty()) words += (cell.high_open ? "<" : "<=") + std::string(cell.high);
  return words;
}

TEST(Cell, ReadsIntervalsInEveryNotation) {
  for (const char* text : {"[20,30]", "[20-30]", "20-30", "[20, 30]", "20..30", "20~30", "20 - 30", "20 to 30",
                           "[20;30]", "20–30", " [20,30] "}) {
    EXPECT_EQ(Words(text), "20<=x<=30") << text;
  }
  EXPECT_EQ(Words("[20, 30["), "20<=x<30");
  EXPECT_EQ(Words("[20,30)"), "20<=x<30");
  EXPECT_EQ(Words("]20,30]"), "20<x<=30");
  EXPECT_EQ(Words("(20,30]"), "20<x<=30");
  EXPECT_EQ(Words("(20,30)"), "20<x<30");
  EXPECT_EQ(Words("[34]"), "34<=x<=34");
}

TEST(Cell, TellsTheDashOfARangeFromASign) {
  for (const char* text : {"[-5--1]", "-5--1", "[-5,-1]", "[-5 - -1]"}) EXPECT_EQ(Words(text), "-5<=x<=-1") << text;
  EXPECT_EQ(Words("-5-1"), "-5<=x<=1");
  EXPECT_EQ(Words("1e-5-2"), "1e-5<=x<=2");
  EXPECT_EQ(Words("[0.5-1.25]"), "0.5<=x<=1.25");
  EXPECT_EQ(Words("1-2-3"), "no interval");
  EXPECT_EQ(Words("-5"), "no interval");
}

TEST(Cell, ReadsDates) {
  for (const char* text :
       {"[2020-01-01,2020-12-31]", "2020-01-01-2020-12-31", "[2020-01-01 - 2020-12-31]", "2020-01-01..2020-12-31"}) {
    EXPECT_EQ(Words(text, Reading::kDates), "2020-01-01<=x<=2020-12-31") << text;
  }
  EXPECT_EQ(ParseCell("2020-01-01", Reading::kDates).form, Form::kValue);
}

TEST(Cell, ReadsOneSidedIntervals) {
  EXPECT_EQ(Words(">=50"), "50<=x");
  EXPECT_EQ(Words("> 50"), "50<x");
  EXPECT_EQ(Words("≥50"), "50<=x");
  EXPECT_EQ(Words("<=10"), "x<=10");
  EXPECT_EQ(Words("<10"), "x<10");
  EXPECT_EQ(Words("50+"), "50<=x");
  EXPECT_EQ(Words("[,30]"), "x<=30");
  EXPECT_EQ(Words("[50,inf)"), "50<=x");
  EXPECT_EQ(Words("(,)"), "no interval");
}

TEST(Cell, LooksForIntervalsOnlyAmongNumbersAndDates) {
  EXPECT_EQ(Words("11-20", Reading::kNames), "no interval");
  EXPECT_EQ(ParseCell("11-20", Reading::kNames).form, Form::kValue);
}

TEST(Cell, ReadsSetsWithQuotesAndEscapes) {
  const auto elements = [](std::string_view text) { return ParseCell(text, Reading::kNames).elements; };
  using List = std::vector<std::string>;
  EXPECT_EQ(elements("{a,b}"), (List{"a", "b"}));
  EXPECT_EQ(elements("{ a , b }"), (List{"a", "b"}));
  EXPECT_EQ(elements(R"({"","a,b","say \"hi\"","c\\d"," e "})"), (List{"", "a,b", "say \"hi\"", "c\\d", " e "}));
  EXPECT_EQ(elements("a~b~c"), (List{"a", "b", "c"}));
  EXPECT_EQ(elements("{}"), List{});
  EXPECT_EQ(ParseCell("{}", Reading::kNames).form, Form::kSet);
  for (const char* text : {R"({"a})", R"({"a"b})", R"({"a\})", "{a", "~50", "a~"}) {
    EXPECT_EQ(ParseCell(text, Reading::kNames).form, Form::kValue) << text;
  }
}

TEST(Cell, ReadsMasksAndPatterns) {
  EXPECT_EQ(ParseCell("*", Reading::kNumbers).form, Form::kMask);
  EXPECT_EQ(ParseCell("*****", Reading::kNames).form, Form::kMask);
  EXPECT_EQ(ParseCell("476**", Reading::kNumbers).form, Form::kPattern);
  EXPECT_TRUE(MatchesPattern("476**", "47677"));
  EXPECT_FALSE(MatchesPattern("476**", "4767"));
  EXPECT_FALSE(MatchesPattern("476**", "476777"));
  EXPECT_FALSE(MatchesPattern("476**", "47777"));
  EXPECT_TRUE(MatchesPattern("*rich", "Zrich"));
  EXPECT_TRUE(MatchesPattern("Z*rich", "Zürich"));
}

TEST(Cell, TakesAnyBytes) {
  EXPECT_TRUE(rc::check("a bound is a part of the text", [] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("[", "]", "(", ")", "{", "}", "\"", "\\", ",", ";", "~", "-", "*", ".", "20",
                                      "2020-01-01", " ", "inf", "\xff", "é", "<", ">=", "+", std::string(1, '\0')));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    for (const Reading reading : {Reading::kNames, Reading::kNumbers, Reading::kDates}) {
      const ParsedCell cell = ParseCell(text, reading);
      for (const std::string_view bound : {cell.low, cell.high}) {
        RC_ASSERT(bound.empty() || IsValue(bound, reading));
        RC_ASSERT(bound.empty() || text.find(bound) != std::string::npos);
      }
      RC_ASSERT(cell.form != Form::kInterval || !cell.low.empty() || !cell.high.empty());
    }
    RC_ASSERT(MatchesPattern(text, text) || text.find('*') != std::string::npos);
  }));
}

}  // namespace
}  // namespace tada
