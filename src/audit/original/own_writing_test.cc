#include "audit/original/own_writing.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tada {
namespace {

TEST(OwnWriting, ReadsCells) {
  const Writing comma = Writing::Numbers(true), dates = Writing::Dates("%d/%m/%Y").value();
  EXPECT_EQ(OwnPlainCell("[\"1.001,5\",\"2.000,75\"]", comma), "[1001.5,2000.75]");
  EXPECT_EQ(OwnPlainCell("[1,5,2,75]", comma), "[1.5,2.75]");
  EXPECT_EQ(OwnPlainCell("[31/12/1942,01/02/1950]", dates), "[1942-12-31,1950-02-01]");
  EXPECT_EQ(OwnPlainCell("1942", dates), "1942");
  EXPECT_EQ(OwnPlainCell("*", dates), "*");
  EXPECT_EQ(OwnPlainValue("-1.234,50 \xE2\x82\xAC", comma), "-1234.50");
  EXPECT_EQ(OwnPlainValue("12/31/42 9:05 PM", Writing::Dates("%m/%d/%y@30 %I:%M %p").value()), "1942-12-31T21:05");
}

// Two readers that share no code come to the same value.
TEST(OwnWriting, AgreesWithTheReaderOfTables) {
  EXPECT_TRUE(rc::check([] {
    const std::string format =
        *rc::gen::element<std::string>("%d/%m/%Y", "%m/%d/%y", "%d.%m.%Y %H:%M", "%b %d, %Y", "%Y%m%d", "%d. %B %Y",
                                       "%d/%m/%Y %H:%M:%S", "%m/%d/%Y %I:%M %p", "comma", "point");
    const Writing writing = Writing::Parse(format).value();
    std::string plain = fmt::format("{}.{:02}", *rc::gen::inRange(-99999, 99999), *rc::gen::inRange(0, 100));
    if (writing.is_dates()) {
      plain = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", *rc::gen::inRange(1970, 2060),
                          *rc::gen::inRange(1, 13), *rc::gen::inRange(1, 29), *rc::gen::inRange(0, 24),
                          *rc::gen::inRange(0, 60), *rc::gen::inRange(0, 60));
    }
    const std::string text = writing.Write(plain);
    RC_ASSERT(writing.Plain(text) == OwnPlainValue(text, writing));
    const std::string cell = IntervalCell(text, text, writing);
    RC_ASSERT(PlainCell(cell, writing) == OwnPlainCell(cell, writing));
  }));
}

TEST(OwnWriting, SurvivesAnyText) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    for (const char* format : {"%d/%m/%Y", "%a, %d %b %Y %I:%M %p %z", "%Y%m%d %H:%M:%S", "comma", "point"}) {
      (void)OwnPlainValue(text, Writing::Parse(format).value());
      (void)OwnPlainCell("[\"" + text, Writing::Parse(format).value());
      (void)OwnPlainCell("[" + text + "]", Writing::Parse(format).value());
    }
  }));
}

}  // namespace
}  // namespace tada
