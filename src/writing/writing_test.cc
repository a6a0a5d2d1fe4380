#include "writing/writing.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "writing/find_writing.h"

namespace tada {
namespace {

std::string Plain(std::string_view text, std::string_view writing) {
  return Writing::Parse(writing).value().Plain(text).value_or("none");
}

std::vector<std::string> Found(std::vector<std::string_view> values) {
  std::vector<std::string> texts;
  for (const Writing& writing : FindWritings(values)) texts.push_back(writing.text());
  return texts;
}
using Texts = std::vector<std::string>;

TEST(Writing, ReadsDates) {
  EXPECT_EQ(Plain("31/12/1942", "%d/%m/%Y"), "1942-12-31");
  EXPECT_EQ(Plain("3/4/1942", "%d/%m/%Y"), "1942-04-03");
  EXPECT_EQ(Plain("12/31/42 9:05 pm", "%m/%d/%y@30 %I:%M %p"), "1942-12-31T21:05");
  EXPECT_EQ(Plain("12/31/42", "%m/%d/%y"), "2042-12-31");
  EXPECT_EQ(Plain("31. D\xC3\xA9"
                  "c. 1942",
                  "%d. %b %Y"),
            "1942-12-31");
  EXPECT_EQ(Plain("Mi., 31. M\xC3\x84RZ 1999 10:30:00,25+02:00", "%a, %d. %B %Y %H:%M:%S%z"),
            "1999-03-31T10:30:00.25+02:00");
  EXPECT_EQ(Plain("19421231", "%Y%m%d"), "1942-12-31");
  for (const char* bad : {"31/02/1942", "31/13/1942", "1942/12/31", "31/12/1942x", "", "31/12/42"})
    EXPECT_EQ(Plain(bad, "%d/%m/%Y"), "none") << bad;
}

TEST(Writing, ReadsNumbers) {
  EXPECT_EQ(Plain("1.234,50 \xE2\x82\xAC", "comma"), "1234.50");
  EXPECT_EQ(Plain("-$1,234.50", "point"), "-1234.50");
  EXPECT_EQ(Plain("\xE2\x88\x92"
                  "12,5%",
                  "comma"),
            "-12.5");
  EXPECT_EQ(Plain("1\xC2\xA0"
                  "234\xC2\xA0"
                  "567",
                  "comma"),
            "1234567");
  EXPECT_EQ(Plain("1'234.5", "point"), "1234.5");
  for (const char* bad : {"1.23,5", "0.123.456", "12.3456,0", "1,234 567.0", "abc", "", "EUR", "1.234.5"})
    EXPECT_EQ(Plain(bad, "comma"), "none") << bad;
}

TEST(Writing, IsFoundByAllValues) {
  EXPECT_EQ(Found({"01/02/1942", "31/12/1942"}), Texts{"%d/%m/%Y"});
  EXPECT_EQ(Found({"01/02/1942", "12/31/1942"}), Texts{"%m/%d/%Y"});
  EXPECT_EQ(Found({"01/02/1942", "12/11/1942"}), (Texts{"%d/%m/%Y", "%m/%d/%Y"}));
  EXPECT_EQ(Found({"02/02/1942", "11/11/1942"}), Texts{"%d/%m/%Y"});  // the same day either way
  EXPECT_EQ(Found({"01.02.1942", "12.11.1942"}), Texts{"%d.%m.%Y"});
  EXPECT_EQ(Found({"1942/12/31"}), Texts{"%Y/%m/%d"});
  EXPECT_EQ(Found({"Dec 31, 1942"}), Texts{"%b %d, %Y"});
  EXPECT_EQ(Found({"31-Dec-42"}), Texts{"%d-%b-%y"});
  EXPECT_EQ(Found({"31.12.1942 10:30"}), Texts{"%d.%m.%Y %H:%M"});
  EXPECT_EQ(Found({"31/12/1942", "12/31/1942"}), Texts{});
  EXPECT_EQ(Found({"1,5", "1.234,5"}), Texts{"comma"});
  EXPECT_EQ(Found({"1,234", "950"}), (Texts{"comma", "point"}));
  EXPECT_EQ(Found({"5%", "0,5 \xE2\x82\xAC"}), Texts{});  // two units
  EXPECT_EQ(Found({"E11.65"}), Texts{});
  EXPECT_EQ(Found({"10.0.0.1"}), Texts{});
  EXPECT_EQ(Found({"555-12-3456"}), Texts{});
}

TEST(Writing, RefusesFormatsThatSayNoDay) {
  for (const char* bad : {"%d/%m", "%Y", "%d/%m/%Q", "%d/%m/%Y %M", "x"}) EXPECT_FALSE(Writing::Parse(bad).ok()) << bad;
}

TEST(Writing, MakesCellsPlain) {
  const Writing comma = Writing::Numbers(true), dates = Writing::Dates("%d/%m/%Y").value();
  EXPECT_EQ(PlainCell("[\"1,5\",\"2,75\"]", comma), "[1.5,2.75]");
  EXPECT_EQ(PlainCell("[1,5;2,75)", comma), "[1.5,2.75)");
  EXPECT_EQ(PlainCell("[1,5,2,75]", comma), "[1.5,2.75]");
  EXPECT_EQ(PlainCell("[5,10]", comma), "[5,10]");
  EXPECT_EQ(PlainCell("{\"1,5\",\"\"}", comma), "{1.5,\"\"}");
  EXPECT_EQ(PlainCell("*", comma), "*");
  EXPECT_EQ(PlainCell("[31/12/1942,01/02/1950]", dates), "[1942-12-31,1950-02-01]");
  EXPECT_EQ(PlainCell("31/12/1942 - 01/02/1950", dates), "[1942-12-31,1950-02-01]");
  EXPECT_EQ(PlainCell(">=31/12/1942", dates), ">=1942-12-31");
  EXPECT_EQ(PlainCell("1942-Q4", dates), "1942-Q4");
  EXPECT_EQ(IntervalCell("5", "10", comma), "[\"5\",\"10\"]");
  EXPECT_EQ(IntervalCell("5", "10", Writing()), "[5,10]");
  EXPECT_EQ(IntervalCell("Dec 3, 1942", "x", Writing()), "[\"Dec 3, 1942\",x]");
}

TEST(Writing, ReadsWhatItWrites) {
  EXPECT_TRUE(rc::check([] {
    const std::string format =
        *rc::gen::element<std::string>("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%b %d, %Y", "%A, %d %B %Y", "%Y%m%d",
                                       "%d/%m/%Y %H:%M:%S", "%m/%d/%Y %I:%M %p");
    const bool time = format.find("%M") != std::string::npos, seconds = format.find("%S") != std::string::npos;
    std::string plain = fmt::format("{:04}-{:02}-{:02}", *rc::gen::inRange(1000, 3000), *rc::gen::inRange(1, 13),
                                    *rc::gen::inRange(1, 29));
    if (time) plain += fmt::format("T{:02}:{:02}", *rc::gen::inRange(0, 24), *rc::gen::inRange(0, 60));
    if (seconds) plain += fmt::format(":{:02}", *rc::gen::inRange(0, 60));
    const Writing writing = Writing::Dates(format).value();
    RC_ASSERT(writing.Plain(writing.Write(plain)) == plain);
  }));
}

TEST(Writing, SurvivesAnyText) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    for (const char* writing : {"%d/%m/%Y", "%a, %d %b %Y %I:%M %p %z", "comma", "point"}) {
      (void)Plain(text, writing);
      (void)PlainCell(text, Writing::Parse(writing).value());
      (void)PlainCell("[" + text + "]", Writing::Parse(writing).value());
    }
    (void)Found({text});
  }));
}

}  // namespace
}  // namespace tada
