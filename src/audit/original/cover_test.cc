#include "audit/original/cover.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "table/column_builder.h"
#include "table/label.h"

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

TEST(Cover, KnowsEverySpellingOfMissing) {
  const Column names = Make({"a", "", "b"});
  const Column released = Released({"?", "{?,a}", "NA", "b"});
  const CellCover cover(released, names, {"?"});
  const auto covers = [&](std::string_view cell, Code value) {
    for (Code code = 0; code < released.num_codes(); ++code) {
      if (released.text(code) == cell) return !cover.is_unchecked(code) && cover.Covers(code, cover.position(value));
    }
    return false;
  };
  ASSERT_TRUE(names.is_missing(0));
  EXPECT_TRUE(covers("?", 0));
  EXPECT_FALSE(covers("?", 1));
  EXPECT_TRUE(covers("{?,a}", 0));
  EXPECT_TRUE(covers("{?,a}", 1));
  EXPECT_FALSE(covers("{?,a}", 2));
  EXPECT_FALSE(covers("NA", 0));
  EXPECT_FALSE(covers("b", 0));
}

TEST(Cover, PutsNamesIntoSetsNearAndFar) {
  std::vector<std::string> texts;
  for (int i = 100; i < 300; ++i) texts.push_back("n" + std::to_string(i));
  const Column names = Make(texts);
  for (const int last : {103, 163, 164, 165, 230, 299}) {  // as many values apart as a word has bits, and about that
    const std::string end = "n" + std::to_string(last);
    EXPECT_EQ(Covered("{n100,n102," + end + "}", names), "n100 n102 " + end);
    EXPECT_EQ(Covered("{n100," + end + "}", names), "n100 " + end);
  }
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

TEST(Cover, TakesIntervalsForLabelsWhereNoNameIsANumber) {
  const Column months = Make({"January", "February", "March"});
  EXPECT_EQ(Covered("0-3", months), "unchecked");
  EXPECT_EQ(Covered("0-3", Make({"January", "2", "March"}, Kind::kCategorical)), "2");
}

// What a hierarchy may call its nodes is judged before anything is released (table/label.h), and must be what is judged here.
TEST(Cover, AgreesWithWhatHierarchiesAcceptAsLabels) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::vector<std::string>> pools = {{"1", "2", "07", "7.0", "12", "-3", "", "1e1", "0.5"},
                                                         {"a", "b", "ab", "{a,b}", "a*", "", "7", "a;b"},
                                                         {"2020-01-01", "2020-02-01", "2021-01-01", ""}};
    const std::vector<std::string> labels = {
        "[1,2]",      "[1,7)",      "1-12",         "<7",           ">=2", "7",     "{1,7}",
        "{1;7}",      "{7,\"\"}",   "1*",           "*2",           "**",  "north", "(1,2]",
        "{a,b}",      "a*",         "{a;b}",        "a~b",          "?",   "2~12",  "[2020-01-01,2020-06-30]",
        "2020-01-01", "2020-**-01", ">=2020-02-01", "{2020-01-01}", "a"};
    const auto& pool = *rc::gen::elementOf(pools);
    const Column original =
        Make(*rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pool))));
    const std::string label = *rc::gen::elementOf(labels);
    const Column released = Released({label});
    RC_PRE(released.num_missing() == 0u);
    for (Code code = 0; code < original.num_codes(); ++code)
      RC_PRE(original.is_numeric() || original.text(code) != label);  // refused already: it would be read as the value
    const CellCover cover(released, original);
    const LabelCover same(label, original, ReadingOf(original, {label}));
    for (Code code = 0; code < original.num_codes(); ++code)
      RC_ASSERT(same.Covers(code) == cover.Covers(0, cover.position(code)));
  }));
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
