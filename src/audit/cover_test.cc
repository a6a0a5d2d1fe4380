#include "audit/cover.h"

#include <gtest/gtest.h>

#include "table/column_builder.h"

namespace tada {
namespace {

Column Make(const std::vector<std::string>& texts, std::optional<Kind> kind = std::nullopt) {
  ColumnOptions options;
  options.kind = kind;
  ColumnBuilder builder("c", options);
  for (const std::string& text : texts) builder.AppendText(text);
  return builder.Finish().value();
}

Column Released(const std::vector<std::string>& texts) { return Make(texts, Kind::kCategorical); }

// The original values, joined by blanks, that `cell` covers in a release with the cells `others` beside it.
std::string Covered(const std::string& cell, const Column& original, std::vector<std::string> others = {}) {
  others.push_back(cell);
  const Column released = Released(others);
  const CellCover cover(released, original);
  std::string covered;
  for (Code code = 0; code < released.num_codes(); ++code) {
    if (released.text(code) != cell) continue;
    if (cover.is_unchecked(code)) return "unchecked";
    for (Code value = 0; value < original.num_codes(); ++value) {
      if (!cover.Covers(code, cover.position(value))) continue;
      if (!covered.empty()) covered += ' ';
      covered += original.is_missing(value) ? "missing" : original.text(value);
    }
  }
  return covered;
}

TEST(Cover, PutsNumbersIntoIntervals) {
  const Column ages = Make({"20", "007", "30", "", "25.5"});
  EXPECT_EQ(Covered("[20,30]", ages), "20 25.5 30");
  EXPECT_EQ(Covered("[20,30[", ages), "20 25.5");
  EXPECT_EQ(Covered("]20-30]", ages), "25.5 30");
  EXPECT_EQ(Covered("<10", ages), "007");
  EXPECT_EQ(Covered("[30,20]", ages), "");
  EXPECT_EQ(Covered("7", ages), "007");
  EXPECT_EQ(Covered("{7,30}", ages), "007 30");
  EXPECT_EQ(Covered(R"({"",30})", ages), "missing 30");
  EXPECT_EQ(Covered("*", ages), "missing 007 20 25.5 30");
  EXPECT_EQ(Covered("", ages), "missing");
  EXPECT_EQ(Covered("26", ages), "");
  EXPECT_EQ(Covered("2*", ages), "20");
  EXPECT_EQ(Covered("grown-up", ages), "unchecked");
}

TEST(Cover, KeepsLargeNumbersApart) {
  const Column ids = Make({"9007199254740992", "9007199254740993", "9007199254740994"});
  EXPECT_EQ(Covered("[9007199254740993,9007199254740994]", ids), "9007199254740993 9007199254740994");
  EXPECT_EQ(Covered("9007199254740993", ids), "9007199254740993");
}

TEST(Cover, PutsDatesIntoIntervals) {
  const Column days = Make({"2020-01-01", "2020-06-30", "2021-01-01"});
  EXPECT_EQ(Covered("[2020-01-01,2020-12-31]", days), "2020-01-01 2020-06-30");
  EXPECT_EQ(Covered(">=2020-06-30", days), "2020-06-30 2021-01-01");
  EXPECT_EQ(Covered("2020", days), "unchecked");
}

TEST(Cover, TakesNamesAsTheyAre) {
  const Column states = Make({"CA", "MN", "TX", "a,b", "{CA,MN}", "11-20", "?"});
  EXPECT_EQ(Covered("CA", states), "CA");
  EXPECT_EQ(Covered("{MN,TX}", states), "MN TX");
  EXPECT_EQ(Covered("{CA,MN}", states), "CA MN {CA,MN}");
  EXPECT_EQ(Covered(R"({"a,b",""})", states), "missing a,b");
  EXPECT_EQ(Covered("{CA;TX}", states), "CA TX");
  EXPECT_EQ(Covered("CA~TX", states), "CA TX");
  EXPECT_EQ(Covered("11-20", states), "11-20");
  EXPECT_EQ(Covered("{NY,ZZ}", states), "");
  EXPECT_EQ(Covered("*A", states), "CA");
  EXPECT_EQ(Covered("West", states), "unchecked");
}

TEST(Cover, ReadsNamesAsNumbersWhereMostCellsAreIntervals) {
  const Column zips = Make({"47602", "47677", "47905", "none"}, Kind::kCategorical);
  EXPECT_EQ(Covered("[47600-47699]", zips, {"[47900-47999]"}), "47602 47677");
  EXPECT_EQ(Covered("476**", zips), "47602 47677");
  EXPECT_EQ(Covered("[47600-47699]", zips, {"a", "b", "c"}), "unchecked");
}

TEST(Cover, NumbersEqualValuesOfTwoColumnsAlike) {
  const Column a = Make({"7", "007", "", "8"}), b = Make({"7.0", "9", "?"});
  const SharedValues shared = ShareValues(a, b);
  EXPECT_EQ(shared.of_released[1], shared.of_original[1]);  // 007 and 7.0
  EXPECT_EQ(shared.of_released[2], shared.of_original[1]);
  EXPECT_NE(shared.of_released[3], shared.of_original[2]);
  EXPECT_EQ(shared.of_released[0], shared.of_original[0]);  // missing
  const SharedValues names = ShareValues(Released({"x", "7"}), Make({"7", "y"}));
  EXPECT_EQ(names.of_released[0], names.of_original[0]);
  EXPECT_NE(names.of_released[1], names.of_original[1]);
}

}  // namespace
}  // namespace tada
