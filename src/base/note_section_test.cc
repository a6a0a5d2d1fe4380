#include "base/note_section.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(Fact, KeepsWhatKindOfValueItIs) {
  EXPECT_TRUE(Fact().is_unknown());
  EXPECT_EQ(std::get<bool>(Fact(true).value()), true);
  EXPECT_EQ(std::get<int64_t>(Fact(-1).value()), -1);
  EXPECT_EQ(std::get<uint64_t>(Fact(size_t{7}).value()), 7U);
  EXPECT_EQ(std::get<double>(Fact(0.5).value()), 0.5);
  EXPECT_EQ(std::get<std::string>(Fact("text").value()), "text");
  EXPECT_EQ(std::get<Fact::List>(Fact(FactList(std::vector<uint32_t>{1, 2})).value()).size(), 2U);
}

TEST(Fact, IsFoundByItsName) {
  const Fact fact = Fact::Map{{"rows", 3}, {"parts", Fact::Map{{"a", "x"}}}};
  ASSERT_NE(fact.Find("parts"), nullptr);
  EXPECT_EQ(std::get<std::string>(fact.Find("parts")->Find("a")->value()), "x");
  EXPECT_EQ(fact.Find("columns"), nullptr);
  EXPECT_EQ(Fact(1).Find("rows"), nullptr);
}

TEST(Fact, IsRoundedAsItIsWritten) {
  EXPECT_EQ(RoundToDigits(1234567.8, 3), 1230000);
  EXPECT_EQ(RoundToDecimals(0.123456789, 4), 0.1235);
}

}  // namespace
}  // namespace tada
