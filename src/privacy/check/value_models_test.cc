// Requirements on sensitive values, beside the numbers that papers and two independent computations give for them.

#include <gtest/gtest.h>

#include <numeric>

#include "privacy/check/checker.h"
#include "privacy/check/requirements.h"
#include "testing/tables.h"

namespace tada {
namespace {

// A column of names `a`, `b`, ... with these counts, the class first.
struct Sample {
  Table table;
  std::vector<RowId> members;

  Sample(std::vector<int> in_class, std::vector<int> in_all, std::string_view kind = ":categorical") {
    std::string text = fmt::format("s{}\n", kind);
    const auto add = [&](size_t value, int count) {
      for (int i = 0; i < count; ++i) text += fmt::format("{}\n", static_cast<char>('a' + value));
    };
    for (size_t value = 0; value < in_class.size(); ++value) add(value, in_class[value]);
    for (size_t value = 0; value < in_all.size(); ++value)
      add(value, in_all[value] - (value < in_class.size() ? in_class[value] : 0));
    table = testing::MakeTable(text);
    members.resize(static_cast<size_t>(std::accumulate(in_class.begin(), in_class.end(), 0)));
    std::iota(members.begin(), members.end(), RowId{0});
  }
};

Requirement Ask(std::string_view option, const std::vector<std::string>& items) {
  Requirement requirement{.k = 1};
  OptionValues values;
  values.Set(option, items);
  EXPECT_TRUE(ReadRequirement(values, requirement).ok());
  return requirement;
}

bool Holds(const Sample& sample, std::string_view option, const std::string& item) {
  return Checker(Ask(option, {item}), sample.table, {0}).Holds(sample.members);
}

TEST(Closeness, OfThreeTenthsMeetsThreeTenths) {
  const Sample sample({8, 2}, {50, 50});
  EXPECT_TRUE(Holds(sample, "closeness", "0.3"));
  EXPECT_TRUE(Holds(sample, "closeness", "0.30"));
  EXPECT_FALSE(Holds(sample, "closeness", "0.299999999"));
  EXPECT_FALSE(Holds(sample, "closeness", ".2"));
}

TEST(Closeness, OfTheVectors) {
  EXPECT_TRUE(Holds(Sample({50, 50}, {400, 600}), "closeness", "0.1"));
  EXPECT_FALSE(Holds(Sample({50, 50}, {400, 600}), "closeness", "0.0999"));
  EXPECT_TRUE(Holds(Sample({11, 89}, {100, 9900}), "closeness", "0.1"));
  EXPECT_FALSE(Holds(Sample({11, 89}, {100, 9900}), "closeness", "0.0999"));
  const Sample third({5, 5}, {10, 5, 5});
  EXPECT_TRUE(Holds(third, "closeness", "0.25"));
  EXPECT_FALSE(Holds(third, "closeness", "0.2499"));
  const Sample ordinal({5, 5}, {10, 5, 5}, ":ordinal");
  EXPECT_TRUE(Holds(ordinal, "closeness", "0.125"));
  EXPECT_FALSE(Holds(ordinal, "closeness", "0.1249"));
  EXPECT_TRUE(Holds(Sample({2, 1, 1}, {5, 4, 3}), "closeness", "0.0834"));  // 1/12
  EXPECT_FALSE(Holds(Sample({2, 1, 1}, {5, 4, 3}), "closeness", "0.0833"));
}

// The nine rows of Li, Li, Venkatasubramanian (2007): salaries in thousands and diseases.
const Table& NineRows() {
  static const Table table = testing::MakeTable(
      "salary disease:categorical\n3 ulcer\n4 gastritis\n5 cancer\n6 gastritis\n11 flu\n8 bronchitis\n7 bronchitis\n9 "
      "pneumonia\n10 cancer\n");
  return table;
}

// How close rows are, to four places, by asking.
double Reached(const Table& table, ColumnId column, const std::vector<RowId>& rows, const std::string& kind,
               std::vector<CountedColumn> counted = {}) {
  if (counted.empty()) counted = CountedColumns(table, {column}, {});
  std::vector<RowId> all(table.num_rows());
  std::iota(all.begin(), all.end(), RowId{0});
  for (int t = 0; t < 10000; ++t) {
    const Checker checker(Ask("closeness", {fmt::format("{:.4f}:{}", t / 10000.0, kind)}), table, counted, all);
    if (checker.Holds(rows)) return t / 10000.0;
  }
  return 1;
}

TEST(Closeness, OfSalariesIsThatOfThePaper) {
  EXPECT_EQ(Reached(NineRows(), 0, {0, 1, 2}, "ordered"), 0.375);
  EXPECT_EQ(Reached(NineRows(), 0, {3, 4, 5}, "ordered"), 0.1667);
  EXPECT_EQ(Reached(NineRows(), 0, {6, 7, 8}, "ordered"), 0.2362);
  EXPECT_EQ(Reached(NineRows(), 0, {0, 2, 7}, "ordered"), 0.1667);
  EXPECT_EQ(Reached(NineRows(), 0, {1, 6, 8}, "ordered"), 0.0834);
}

TEST(Closeness, OfDiseasesByTheirHierarchy) {
  // stomach | respiratory infection; digestive | respiratory; all. Codes are in the order of the names.
  std::vector<CountedColumn> counted = CountedColumns(NineRows(), {1}, {});
  const Column& column = NineRows().column(1);
  std::vector<Code> leaf, organ, system;
  for (Code code = 0; code < column.num_codes(); ++code) {
    const std::string_view name = column.text(code);
    const bool stomach = name == "ulcer" || name == "gastritis" || name == "cancer";
    leaf.push_back(code);
    organ.push_back(stomach ? 0 : 1);
    system.push_back(stomach ? 0 : 1);
  }
  counted[0].levels = {leaf, organ, system};
  EXPECT_EQ(Reached(NineRows(), 1, {0, 2, 7}, "hierarchy", counted), 0.2593);  // 7/27
  EXPECT_EQ(Reached(NineRows(), 1, {3, 4, 5}, "hierarchy", counted), 0.2963);  // 8/27
  EXPECT_EQ(Reached(NineRows(), 1, {1, 6, 8}, "hierarchy", counted), 0.1852);  // 5/27
  EXPECT_EQ(Reached(NineRows(), 1, {0, 2, 7}, "equal"), 0.5556);
  EXPECT_EQ(Reached(NineRows(), 1, {3, 4, 5}, "equal"), 0.4445);
  EXPECT_EQ(Reached(NineRows(), 1, {1, 6, 8}, "equal"), 0.3334);
}

TEST(Closeness, OfNumbersIsOfRanksAndNotOfMagnitudes) {
  std::string text = "s\n10\n10\n20\n50\n10\n10\n20\n20\n20\n50\n50\n50\n";
  for (int i = 0; i < 4; ++i) text += "30\n";
  EXPECT_EQ(Reached(testing::MakeTable(text), 0, {0, 1, 2, 3}, "ordered"), 0.1667);
}

TEST(Closeness, OfOneValueIsNothing) {
  EXPECT_TRUE(Holds(Sample({2}, {5}), "closeness", "0"));
  EXPECT_TRUE(Holds(Sample({2}, {5}, ":ordinal"), "closeness", "0"));
}

TEST(Closeness, KnowsTheSmallestGroupThatCanBeClose) {
  const auto smallest = [](std::vector<int> counts, const std::string& t) {
    return Checker(Ask("closeness", {t}), Sample({}, std::move(counts)).table, {0}).smallest_group();
  };
  EXPECT_EQ(smallest({22654 / 2, 7508 / 2}, "0.2"), 3u);  // the shares of Adult's income
  EXPECT_EQ(smallest({22654 / 2, 7508 / 2}, "0.1"), 3u);
  EXPECT_EQ(smallest({22654 / 2, 7508 / 2}, "0.05"), 4u);
  const std::vector<int> occupations = {4038, 4030, 3992, 3721, 3584, 3212, 1966,
                                        1572, 1350, 989,  912,  644,  143,  9};  // of Adult
  EXPECT_EQ(smallest(occupations, "0.3"), 6u);
  EXPECT_EQ(smallest(occupations, "0.2"), 7u);
  EXPECT_EQ(smallest(occupations, "0.1"), 15u);
  EXPECT_EQ(smallest(occupations, "0.05"), 30u);
  // One that 9 of 30,162 people have: more than 1,232 rows, so that it is frequent enough in no smaller group.
  EXPECT_EQ(Checker(Ask("disclosure", {"1"}), Sample({}, occupations).table, {0}).smallest_group(), 1233u);
}

TEST(Likeness, OfTheVectors) {
  EXPECT_TRUE(Holds(Sample({50, 50}, {400, 600}), "likeness", "0.25:basic"));
  EXPECT_FALSE(Holds(Sample({50, 50}, {400, 600}), "likeness", "0.2499:basic"));
  EXPECT_TRUE(Holds(Sample({50, 50}, {400, 600}), "likeness", "0.25"));
  EXPECT_TRUE(Holds(Sample({11, 89}, {100, 9900}), "likeness", "10:basic"));
  EXPECT_FALSE(Holds(Sample({11, 89}, {100, 9900}), "likeness", "9.99:basic"));
  EXPECT_FALSE(Holds(Sample({11, 89}, {100, 9900}), "likeness", "1000"));  // 10 > -ln 0.01
  EXPECT_TRUE(Holds(Sample({9, 1}, {50, 50}), "likeness", "0.8:basic"));
  EXPECT_FALSE(Holds(Sample({9, 1}, {50, 50}), "likeness", "0.8:enhanced"));  // 0.8 > ln 2
  EXPECT_TRUE(Holds(Sample({5}, {50}), "likeness", "0"));
}

TEST(Disclosure, OfTheVectors) {
  EXPECT_TRUE(Holds(Sample({8, 2}, {50, 50}), "disclosure", "0.9163"));
  EXPECT_FALSE(Holds(Sample({8, 2}, {50, 50}), "disclosure", "0.9162"));
  EXPECT_FALSE(Holds(Sample({5, 5}, {10, 5, 5}), "disclosure", "100"));  // a value is not there
  EXPECT_TRUE(Holds(Sample({2, 1, 1}, {5, 4, 3}), "disclosure", "0.2877"));
  EXPECT_FALSE(Holds(Sample({2, 1, 1}, {5, 4, 3}), "disclosure", "0.2876"));
}

TEST(Alpha, OfAllValuesOrOfSome) {
  EXPECT_TRUE(Holds(Sample({8, 2}, {50, 50}), "alpha", "0.8"));
  EXPECT_FALSE(Holds(Sample({8, 2}, {50, 50}), "alpha", "0.79"));
  EXPECT_TRUE(Holds(Sample({8, 2}, {50, 50}), "alpha", "0.2:b"));
  EXPECT_FALSE(Holds(Sample({8, 2}, {50, 50}), "alpha", "0.2:a"));
  EXPECT_EQ(Checker(Ask("alpha", {"0.3"}), Sample({}, {5, 5}).table, {0}).smallest_group(), 4u);
}

TEST(Spread, OfTheVector) {
  const Table table = testing::MakeTable("s\n10\n10\n20\n50\n60\n?\n");
  const auto holds = [&](const std::string& item, const std::vector<RowId>& rows) {
    return Checker(Ask("spread", {item}), table, {0}).Holds(rows);
  };
  EXPECT_TRUE(holds("40", {0, 1, 2, 3}));
  EXPECT_FALSE(holds("40.000001", {0, 1, 2, 3}));
  EXPECT_TRUE(holds("268.75:variance", {0, 1, 2, 3}));
  EXPECT_FALSE(holds("268.750001:variance", {0, 1, 2, 3}));
  EXPECT_TRUE(holds("40", {0, 1, 2, 3, 5}));
  EXPECT_FALSE(holds("0.1", {5, 5}));  // no number at all
}

TEST(Spread, OfDecimalsIsExact) {
  const Table table = testing::MakeTable("s\n0.1\n0.3\n");
  EXPECT_TRUE(Checker(Ask("spread", {"0.2"}), table, {0}).Holds(std::vector<RowId>{0, 1}));
}

TEST(Demands, AreReadAndWrittenBack) {
  const Requirement requirement = Ask("alpha", {"disease=0.2:hiv", "aids", "job=0.5"});
  ASSERT_EQ(requirement.more.size(), 2u);
  EXPECT_EQ(requirement.more[0].values, (std::vector<std::string>{"hiv", "aids"}));
  EXPECT_EQ(requirement.more[1].column, "job");
  const auto written = WriteRequirement(requirement, true);
  const auto alpha = std::ranges::find(written, "alpha", &WrittenOption::name);
  ASSERT_NE(alpha, written.end());
  EXPECT_EQ(Ask("alpha", alpha->values).more, requirement.more);
  EXPECT_EQ(Ask("closeness", {"a=b=0.2:ordered"}).more[0].column, "a=b");
}

TEST(Demands, ThatMakeNoSenseAreRefused) {
  const auto refused = [](std::string_view option, const std::string& item) {
    Requirement requirement;
    OptionValues values;
    values.Set(option, {item});
    return !ReadRequirement(values, requirement).ok();
  };
  EXPECT_TRUE(refused("closeness", "x"));
  EXPECT_TRUE(refused("closeness", "-0.1"));
  EXPECT_TRUE(refused("closeness", "0.1:far"));
  EXPECT_TRUE(refused("closeness", "=0.1"));
  EXPECT_TRUE(refused("disclosure", "1:x"));
  EXPECT_FALSE(CheckRequirement(Ask("closeness", {"0.1", "0.2"}), true).ok());
  EXPECT_FALSE(CheckRequirement(Ask("closeness", {"0.1"}), false).ok());
  EXPECT_FALSE(CheckRequirement(Ask("disclosure", {"0"}), true).ok());
}

TEST(Demands, NameTheSmallestThatWouldDo) {
  const Table table = testing::MakeTable("s:categorical\na\na\na\nb\nb\nb\nb\n");
  std::vector<RowId> all{0, 1, 2, 3, 4, 5, 6}, some{0, 1, 2};
  const auto message = [&](std::string_view option, const std::string& item) {
    const Checker checker(Ask(option, {item}), table, CountedColumns(table, {0}, {}), all);
    return checker.Feasible(checker.Count(some)).error().message;
  };
  EXPECT_NE(message("closeness", "0.1").find("smallest possible t=0.5715 (s)"), std::string::npos);  // 4/7
  EXPECT_NE(message("likeness", "0.1:basic").find("smallest possible beta=1.3334 (s)"), std::string::npos);
  EXPECT_NE(message("disclosure", "0.1").find("delta=infinite"), std::string::npos);
  EXPECT_NE(message("alpha", "0.5").find("smallest possible alpha=1 (s)"), std::string::npos);
}

TEST(Demands, OfSeveralColumnsHaveTheirOwnLimits) {
  const auto resolved = ExpandDemands(Ask("closeness", {"0.3", "salary=0.1"}), {"disease", "salary"});
  ASSERT_TRUE(resolved.ok());
  ASSERT_EQ(resolved->more.size(), 2u);
  EXPECT_EQ(resolved->more[0].limit, "0.3");
  EXPECT_EQ(resolved->more[1].limit, "0.1");
  EXPECT_FALSE(ExpandDemands(Ask("closeness", {"wages=0.3"}), {"salary"}).ok());
}

}  // namespace
}  // namespace tada
