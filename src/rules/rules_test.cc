// Rules on small tables: the paper's examples and brute force over all level vectors.

#include "testing/rules.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "hierarchy/hierarchy_builders.h"
#include "rules/all_levels.h"
#include "rules/discover.h"
#include "rules/join.h"
#include "rules/maximal.h"
#include "score/frontier.h"
#include "testing/tables.h"

namespace tada {
namespace {

using testing::RuleParts;

constexpr const char* kTable2 =
    "age workclass fnlwgt education marital occupation relationship sex gain class\n"
    "39 State-gov 77516 Bachelors Never-married Adm-clerical Not-in-family Male 2174 >50K\n"
    "50 Self-emp-not-inc 83311 Bachelors Married-civ Exec-managerial Husband Male 0 >50K\n"
    "38 Private 215646 HS-grad Divorced Handlers-cleaners Not-in-family Male 0 <=50K\n"
    "53 Private 234721 11th Married-civ Handlers-cleaners Husband Male 0 <=50K\n"
    "37 Private 159449 Bachelors Married-civ Prof-specialty Wife Female 0 >50K\n"
    "37 Private 284582 Masters Married-civ Exec-managerial Wife Female 0 <=50K\n"
    "49 Private 160187 9th Married-absent Other-service Not-in-family Female 0 >50K\n"
    "52 Self-emp-not-inc 209642 HS-grad Married-civ Exec-managerial Husband Male 0 <=50K\n"
    "38 Private 45781 Masters Never-married Prof-specialty Not-in-family Female 14084 >50K\n"
    "49 Private 159449 Bachelors Married-civ Exec-managerial Husband Male 5178 >50K\n";

// Intervals as the paper's Figure 1 has them: widths from a start, and the root.
Hierarchy Widths(const Column& column, const std::vector<double>& widths, double from) {
  HierarchyLines lines;
  for (Code code = 0; code < column.num_codes(); ++code) {
    std::vector<std::string>& line = lines.lines.emplace_back();
    line.emplace_back(column.text(code));
    for (const double width : widths) {
      const double low = from + width * std::floor((column.number(code) - from) / width);
      line.push_back(fmt::format("[{},{})", low, low + width));
    }
    line.emplace_back("*");
  }
  return BindHierarchy(AlignLines(lines).value(), column).value();
}

TEST(Rules, TableThreeAgesByLevel) {
  const Table table = testing::MakeTable(kTable2);
  std::vector<Hierarchy> hierarchies{Widths(table.column(0), {5, 10, 20}, 35)};
  const RuleParts parts(table, {0}, std::move(hierarchies), 9);
  const auto sizes = [&](uint8_t level) {
    std::vector<uint32_t> found = parts.rows.FindClasses(LevelVector{level}).Sizes();
    std::sort(found.begin(), found.end());
    return found;
  };
  EXPECT_EQ(sizes(0).front(), 1u);  // t1 alone is 39
  EXPECT_EQ(sizes(1), (std::vector<uint32_t>{2, 3, 5}));
  EXPECT_EQ(sizes(2), (std::vector<uint32_t>{5, 5}));
}

TEST(Rules, TableFourIsThreeAnonymousAndTellsTheClassExactly) {
  const Table table = testing::MakeTable(kTable2);
  std::vector<Hierarchy> hierarchies;
  hierarchies.push_back(Widths(table.column(0), {5, 10, 20}, 35));
  hierarchies.push_back(Widths(table.column(2), {50000, 100000}, 0));
  const RuleParts parts(table, {0, 2}, std::move(hierarchies), 9);
  const LevelVector rule{3, 2};
  EXPECT_EQ(parts.rows.FindClasses(rule).of_row, (std::vector<uint32_t>{0, 0, 1, 1, 2, 1, 2, 1, 0, 2}));
  const std::optional<Rule> scored = parts.scorer.Score(rule, 1);
  ASSERT_TRUE(scored);
  EXPECT_EQ(scored->k, 3u);
  EXPECT_NEAR(scored->information_gain, 0.970951, 1e-6);
  EXPECT_NEAR(parts.scorer.entropy(), 0.970951, 1e-6);
  EXPECT_FALSE(parts.scorer.Score(rule, 4));
}

// The columns of example 5: age fnlwgt sex workclass gain marital relationship education; the top is level 9.
const LevelVector kTop(8, 9);
const std::map<std::string, LevelVector> kExample = {
    {"r1", {3, 2, 9, 9, 9, 9, 9, 9}}, {"r2", {3, 9, 1, 9, 9, 9, 9, 9}}, {"r3", {9, 9, 9, 2, 3, 2, 9, 9}},
    {"r4", {4, 9, 9, 2, 9, 2, 9, 9}}, {"r6", {3, 2, 1, 9, 9, 9, 9, 9}}, {"r7", {3, 2, 9, 2, 3, 2, 9, 9}},
    {"r8", {3, 9, 1, 2, 3, 2, 9, 9}}, {"r9", {4, 9, 9, 2, 3, 2, 9, 9}}, {"r10", {3, 2, 1, 2, 3, 2, 9, 9}},
};

std::string NameOf(const LevelVector& levels) {
  for (const auto& [name, vector] : kExample) {
    if (vector == levels) return name;
  }
  return "?";
}

TEST(Rules, JoinsOfExampleSix) {
  std::vector<Rule> rules;
  for (const char* name : {"r1", "r2", "r3", "r4"}) rules.push_back({.levels = kExample.at(name), .k = 3});
  std::vector<std::string> rounds;
  JoinRules(rules, kTop, [&](const std::vector<LevelVector>& wanted) {
    std::vector<std::string> names;
    std::vector<std::optional<Rule>> scores;
    for (const LevelVector& levels : wanted) {
      names.push_back(NameOf(levels));
      scores.emplace_back(Rule{.levels = levels, .k = 3});
    }
    std::sort(names.begin(), names.end());
    rounds.push_back(fmt::format("{}", fmt::join(names, " ")));
    return scores;
  });
  EXPECT_EQ(rounds, (std::vector<std::string>{"r6 r7 r8 r9", "r10", ""}));
  EXPECT_EQ(rules.size(), 9u);
}

TEST(Rules, FrontierOfExampleSeven) {
  const std::vector<std::pair<std::string, ParetoPoint>> given = {
      {"r1", {3, 65, .011657}}, {"r2", {4, 66, .043581}}, {"r3", {3, 67, .072174}},
      {"r4", {5, 61, .007948}}, {"r6", {3, 67, .074251}}, {"r7", {3, 70, .098579}},
      {"r8", {3, 71, .099719}}, {"r9", {3, 69, .096718}}, {"r10", {3, 72, .109829}},
  };
  std::vector<ParetoPoint> points;
  for (const auto& [name, point] : given) points.push_back(point);
  const std::vector<bool> frontier = FindFrontier(points);
  std::string names;
  for (size_t i = 0; i < given.size(); ++i) names += frontier[i] ? given[i].first + " " : "";
  EXPECT_EQ(names, "r2 r4 r10 ");
}

Patterns PatternsOf(const std::vector<LevelVector>& vectors, const LevelVector& top) {
  Patterns patterns;
  uint64_t stride = 1;
  for (const uint8_t level : top) {
    patterns.strides.push_back(stride);
    patterns.levels.push_back(static_cast<uint8_t>(level + 1));
    stride *= level + 1u;
  }
  for (const LevelVector& vector : vectors) {
    uint64_t key = 0;
    for (size_t c = 0; c < vector.size(); ++c) key += vector[c] * patterns.strides[c];
    patterns.keys.push_back(key);
    patterns.counts.push_back(1);
  }
  patterns.pairs = vectors.size();
  return patterns;
}

std::vector<LevelVector> RulesOf(const std::vector<LevelVector>& vectors, const LevelVector& top) {
  const Workers workers(1);
  const Patterns patterns = PatternsOf(vectors, top);
  return MaximalVectors(MinimalPatterns(patterns, FrequentPatterns(patterns, 100), workers), top, 1000000, workers)
      .value();
}

TEST(MaximalVectors, HandCheckOfTheSpecification) {
  const LevelVector top{2, 2};
  EXPECT_EQ(RulesOf({{2, 1}, {1, 2}}, top), (std::vector<LevelVector>{{0, 2}, {1, 1}, {2, 0}}));
  EXPECT_EQ(RulesOf({{2, 1}, {1, 2}, {1, 1}}, top), (std::vector<LevelVector>{{0, 2}, {2, 0}}));
  EXPECT_EQ(RulesOf({}, top), (std::vector<LevelVector>{}));  // only the empty rule is left, and dropped
}

// All vectors up to `top`.
std::vector<LevelVector> Lattice(const LevelVector& top) {
  std::vector<LevelVector> all{LevelVector()};
  for (const uint8_t most : top) {
    std::vector<LevelVector> next;
    for (const LevelVector& vector : all) {
      for (uint8_t level = 0; level <= most; ++level) {
        next.push_back(vector);
        next.back().push_back(level);
      }
    }
    all = std::move(next);
  }
  return all;
}

bool Below(const LevelVector& a, const LevelVector& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](uint8_t x, uint8_t y) { return x <= y; });
}

TEST(MaximalVectors, AgreeWithBruteForceOverTheLattice) {
  EXPECT_TRUE(rc::check([] {
    const auto columns = *rc::gen::inRange<size_t>(1, 5);
    const auto top = *rc::gen::container<std::vector<uint8_t>>(columns, rc::gen::inRange<uint8_t>(1, 5));
    const std::vector<LevelVector> all = Lattice(top);
    std::vector<LevelVector> patterns;
    for (const auto i : *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, all.size()))) {
      if (std::find(patterns.begin(), patterns.end(), all[i]) == patterns.end()) patterns.push_back(all[i]);
    }
    const auto valid = [&](const LevelVector& v) {
      return std::none_of(patterns.begin(), patterns.end(), [&](const LevelVector& p) { return Below(p, v); });
    };
    std::vector<LevelVector> expected;
    for (const LevelVector& v : all) {
      bool maximal = valid(v) && v != top;
      for (size_t c = 0; c < columns && maximal; ++c) {
        LevelVector raised = v;
        if (raised[c]++ < top[c]) maximal = !valid(raised);
      }
      if (maximal) expected.push_back(v);
    }
    RC_ASSERT(RulesOf(patterns, top) == expected);
  }));
}

// A random table of names and numbers with hierarchies from the builders.
RuleParts RandomParts(Table& table) {
  const auto rows = *rc::gen::inRange(2, 40);
  std::string text = "a b:categorical c y:categorical\n";
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("{} {} {} {}\n", *rc::gen::inRange(0, 30), *rc::gen::inRange(0, 4), *rc::gen::inRange(0, 9),
                        *rc::gen::inRange(0, 3));
  }
  table = testing::MakeTable(text);
  std::vector<Hierarchy> hierarchies;
  hierarchies.push_back(BuildHierarchy("count:2", table, 0).value());
  hierarchies.push_back(BuildHierarchy("means", table, 1).value());
  hierarchies.push_back(BuildHierarchy("width:2", table, 2).value());
  return RuleParts(table, {0, 1, 2}, std::move(hierarchies), 3);
}

TEST(Patterns, CountEveryPairOfDifferentLabelsAtAnyNumberOfThreads) {
  EXPECT_TRUE(rc::check([] {
    Table table;
    const RuleParts parts = RandomParts(table);
    NoProgress silent;
    const Patterns patterns =
        CountPatterns(parts.rows, parts.labels.of_row, parts.labels.num_labels, {}, Workers(2), silent).value();
    std::map<LevelVector, uint32_t> expected, found;
    uint64_t pairs = 0;
    for (size_t i = 0; i < parts.rows.num_rows(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (parts.labels.of_row[i] == parts.labels.of_row[j]) continue;
        LevelVector distance(3);
        for (size_t c = 0; c < 3; ++c) {
          while (parts.rows.nodes(c, distance[c])[i] != parts.rows.nodes(c, distance[c])[j]) ++distance[c];
        }
        ++expected[distance];
        ++pairs;
      }
    }
    for (size_t i = 0; i < patterns.keys.size(); ++i) found[patterns.Unpack(patterns.keys[i])] = patterns.counts[i];
    RC_ASSERT(found == expected);
    RC_ASSERT(patterns.pairs == pairs);
  }));
}

TEST(Rules, AllVectorsAgreeWithBruteForceAndHoldEveryRule) {
  EXPECT_TRUE(rc::check([] {
    Table table;
    const RuleParts parts = RandomParts(table);
    const Workers workers(2);
    NoProgress silent;
    const uint64_t min_k = *rc::gen::inRange<uint64_t>(1, 4);
    std::map<LevelVector, Rule> expected;
    for (const LevelVector& v : Lattice(parts.rows.Top())) {
      const auto rule = parts.scorer.Score(v, min_k);
      if (rule && v != parts.rows.Top()) expected.emplace(v, *rule);
    }
    const std::vector<Rule> all = FindAllVectors(parts.scorer, min_k, 1000000, workers, silent).value();
    RC_ASSERT(all.size() == expected.size());
    for (const Rule& rule : all) {
      RC_ASSERT(expected.contains(rule.levels));
      RC_ASSERT(expected.at(rule.levels).k == rule.k);
      RC_ASSERT(expected.at(rule.levels).accuracy == rule.accuracy);
      RC_ASSERT(std::abs(expected.at(rule.levels).information_gain - rule.information_gain) < 1e-12);
    }
    const Patterns patterns =
        CountPatterns(parts.rows, parts.labels.of_row, parts.labels.num_labels, {}, workers, silent).value();
    const double coverage = *rc::gen::element(5.0, 50.0, 100.0);
    const Discovery discovery =
        DiscoverRules(patterns, parts.scorer, {.coverage = coverage, .min_k = min_k}, workers, silent).value();
    for (const Rule& rule : discovery.rules) RC_ASSERT(expected.contains(rule.levels));
  }));
}

TEST(Rules, KNeverRisesAndInformationGainNeverFallsUnderAJoin) {
  EXPECT_TRUE(rc::check([] {
    Table table;
    const RuleParts parts = RandomParts(table);
    const LevelVector top = parts.rows.Top();
    LevelVector a = top, b = top;
    for (size_t c = 0; c < 3; ++c) {
      a[c] = *rc::gen::inRange<uint8_t>(0, static_cast<uint8_t>(top[c] + 1));
      b[c] = *rc::gen::inRange<uint8_t>(0, static_cast<uint8_t>(top[c] + 1));
    }
    const auto joined = Join(a, b, top);
    if (!joined) return;
    const Rule ra = *parts.scorer.Score(a, 1), rb = *parts.scorer.Score(b, 1), rc = *parts.scorer.Score(*joined, 1);
    RC_ASSERT(rc.k <= std::min(ra.k, rb.k));
    RC_ASSERT(rc.information_gain >= std::max(ra.information_gain, rb.information_gain) - 1e-12);
  }));
}

}  // namespace
}  // namespace tada
