#include "recode/cut_text.h"

#include <gtest/gtest.h>

#include "table/number.h"
#include "testing/tables.h"

namespace tada {
namespace {

std::pair<std::string, std::string> Texts(const std::string& values, Code below, Code above) {
  const Table table = testing::MakeTable("n\n" + values + "\n");
  CutTexts texts(table.column(0), nullptr);
  return {texts.Upper({below, above}), texts.Lower({below, above})};
}

std::pair<std::string, std::string> Domain(const std::string& values) {
  const Table table = testing::MakeTable("n\n" + values + "\n");
  CutTexts texts(table.column(0), nullptr);
  return {texts.Lower({}), texts.Upper({})};
}

using Pair = std::pair<std::string, std::string>;

TEST(CutText, IsTheRoundestNumberBetween) {
  EXPECT_EQ(Texts("34\n41", 0, 1), (Pair{"39", "40"}));
  EXPECT_EQ(Texts("34\n35", 0, 1), (Pair{"34", "35"}));
  EXPECT_EQ(Texts("1\n2000", 0, 1), (Pair{"999", "1000"}));
  EXPECT_EQ(Texts("-17\n-3", 0, 1), (Pair{"-11", "-10"}));
  EXPECT_EQ(Texts("1.25\n3.5", 0, 1), (Pair{"1.99", "2"}));
  EXPECT_EQ(Texts("1.1\n1.2", 0, 1), (Pair{"1.1", "1.2"}));
  EXPECT_EQ(Texts("30.0\n31.0", 0, 1), (Pair{"30", "31"}));
}

TEST(CutText, OfNumbersOnNoGridIsTheSameOnBothSides) {
  EXPECT_EQ(Texts("0.1234567890123\n0.1234567890153", 0, 1), (Pair{"0.123456789014", "0.123456789014"}));
  EXPECT_EQ(Texts("1e3\n5e3", 0, 1), (Pair{"3000", "3000"}));
  EXPECT_EQ(Texts("1152921504606846976\n1152921504606846977", 0, 1),
            (Pair{"1152921504606846977", "1152921504606846977"}));
}

TEST(CutText, SeparatesSpellingsOfOneNumber) { EXPECT_EQ(Texts("007\n7", 0, 1), (Pair{"007", "7"})); }

TEST(CutText, OfDatesBeginsAYearAMonthOrADay) {
  EXPECT_EQ(Texts("2019-05-05\n2021-03-02", 0, 1), (Pair{"2020-12-31", "2021-01-01"}));
  EXPECT_EQ(Texts("2021-01-05\n2021-03-02", 0, 1), (Pair{"2021-02-28", "2021-03-01"}));
  EXPECT_EQ(Texts("2021-03-02\n2021-03-05", 0, 1), (Pair{"2021-03-04", "2021-03-05"}));
  EXPECT_EQ(Texts("2021-03-02T10:15:00Z\n2021-03-02T12:30:45Z", 0, 1),
            (Pair{"2021-03-02T12:00:00Z", "2021-03-02T12:00:00Z"}));
}

TEST(CutText, RoundsTheDomainOutward) {
  EXPECT_EQ(Domain("17\n90"), (Pair{"10", "99"}));
  EXPECT_EQ(Domain("0\n99999"), (Pair{"0", "99999"}));
  EXPECT_EQ(Domain("-4\n3"), (Pair{"-4", "3"}));
  EXPECT_EQ(Domain("12\n12"), (Pair{"12", "12"}));
  EXPECT_EQ(Domain("0.25\n7.75"), (Pair{"0", "7.99"}));
  EXPECT_EQ(Domain("1999-05-05\n2024-02-29"), (Pair{"1999-01-01", "2024-12-31"}));
  EXPECT_EQ(Domain("2024-02-10\n2024-05-20"), (Pair{"2024-02-01", "2024-05-31"}));
}

TEST(CutText, ChecksAGivenDomain) {
  const Table table = testing::MakeTable("n c\n17 a\n90 b\n");
  EXPECT_TRUE(CheckDomain(table.column(0), {"0", "120"}).ok());
  EXPECT_FALSE(CheckDomain(table.column(0), {"18", "120"}).ok());
  EXPECT_FALSE(CheckDomain(table.column(0), {"0", "89"}).ok());
  EXPECT_FALSE(CheckDomain(table.column(0), {"0", "old"}).ok());
  EXPECT_FALSE(CheckDomain(table.column(1), {"0", "120"}).ok());
  const DomainBounds bounds{"0", "120"};
  CutTexts texts(table.column(0), &bounds);
  EXPECT_EQ(texts.Lower({}), "0");
  EXPECT_EQ(texts.Upper({}), "120");
}

}  // namespace
}  // namespace tada
