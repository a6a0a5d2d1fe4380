// Rules on the paper's data with the paper's taxonomies: every exact row of the MEASURED table of the specification (11.5),
// and the times that are promised. Skipped where the data is not there.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>

#include "hierarchy/hierarchy_files.h"
#include "rules/all_levels.h"
#include "rules/discover.h"
#include "testing/real_data.h"
#include "testing/rules.h"

namespace tada {
namespace {

struct Expected {
  double coverage;
  uint64_t kept, minimal, rules, with_k, joined, max_k;
  const char* max_rule;
  double best_gain;
  uint64_t half_gain_k;  // largest k with at least half of that gain
};

struct DataSet {
  const char* file;
  char delimiter;
  const char* taxonomies;
  size_t quasi;  // columns before the label
  uint64_t pairs, patterns;
  double entropy;
  size_t all_vectors;
  std::vector<Expected> by_coverage;
};

const std::vector<Expected> kOfElectricity = {{5, 2, 1, 8, 8, 45, 16272, "date3", .256, 292},
                                              {10, 4, 2, 9, 9, 40, 7552, "period2", .256, 292},
                                              {20, 11, 4, 11, 10, 22, 7552, "period2", .256, 292},
                                              {50, 77, 4, 12, 12, 18, 1176, "date3 day1 period2", .457, 8}};
const DataSet kElectricity = {"electricity/electricity.csv",
                              ',',
                              "electricity/taxonomies/TaxElectricity.txt",
                              8,
                              501604775,
                              253426,
                              .9835,
                              301,
                              kOfElectricity};
const std::vector<Expected> kOfAdult = {
    {5, 44, 7, 29, 29, 185, 6427, "education1 marital-status2", .239, 6427},
    {10, 133, 12, 42, 33, 100, 1440, "fnlwgt4 education1 marital-status2", .249, 1440},
    {20, 464, 19, 60, 19, 38, 1435, "fnlwgt3", .239, 275},
    {50, 3767, 21, 44, 11, 30, 270, "fnlwgt3 education1 marital-status2", .224, 270}};
const DataSet kAdult = {
    "adult/adult_complete.csv", ',', "adult/taxonomies/TaxAdult.txt", 14, 381228912, 1127976, .8078, 2457, kOfAdult};
const std::vector<Expected> kOfBank = {{5, 411, 54, 106, 73, 148, 1049, "job2 day1", .125, 146},
                                       {10, 1369, 98, 190, 67, 89, 322, "day0", .142, 57},
                                       {20, 5355, 176, 330, 34, 40, 49, "job2 marital1 day0", .125, 26},
                                       {50, 55365, 373, 678, 0, 0, 0, "", 0, 0}};
const DataSet kBank = {
    "bank/bank-full.csv", ';', "bank/taxonomies/TaxBank.txt", 16, 211147458, 8201308, .5206, 3732, kOfBank};

double Seconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

std::string Words(const Rule& rule, const Table& table, const LevelVector& top) {
  std::vector<std::string> words;
  for (size_t c = 0; c < top.size(); ++c) {
    if (rule.levels[c] < top[c])
      words.push_back(fmt::format("{}{}", table.column(static_cast<ColumnId>(c)).name(), rule.levels[c]));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

void Compare(const Discovery& discovery, const Expected& expected, const Table& table, const LevelVector& top) {
  EXPECT_EQ(discovery.kept_patterns, expected.kept);
  EXPECT_EQ(discovery.minimal_patterns, expected.minimal);
  EXPECT_EQ(discovery.found, expected.rules);
  EXPECT_EQ(discovery.found_with_k, expected.with_k);
  EXPECT_EQ(discovery.rules.size(), expected.joined);
  const Rule* largest = nullptr;
  double best = 0;
  for (const Rule& rule : discovery.rules) {
    if (largest == nullptr || rule.k > largest->k) largest = &rule;
    best = std::max(best, rule.information_gain);
  }
  EXPECT_EQ(largest == nullptr ? 0 : largest->k, expected.max_k);
  EXPECT_EQ(largest == nullptr ? "" : Words(*largest, table, top), expected.max_rule);
  EXPECT_NEAR(best, expected.best_gain, .0005);
  uint64_t half = 0;
  for (const Rule& rule : discovery.rules) half = rule.information_gain >= best / 2 ? std::max(half, rule.k) : half;
  EXPECT_EQ(half, expected.half_gain_k);
}

void Measure(const DataSet& data) {
  const auto table = testing::RealTable(data.file, data.delimiter, {});
  if (!table) GTEST_SKIP() << testing::kNoRealData;
  std::vector<ColumnId> quasi(data.quasi);
  std::iota(quasi.begin(), quasi.end(), ColumnId{0});
  const auto named = ReadHierarchies((*testing::RealDataFolder() / data.taxonomies).string(), *table, quasi);
  ASSERT_TRUE(named.ok()) << named.error().message;
  ASSERT_EQ(named->size(), data.quasi);
  std::vector<Hierarchy> hierarchies;
  for (size_t c = 0; c < data.quasi; ++c) {
    ASSERT_EQ((*named)[c].column, table->column(static_cast<ColumnId>(c)).name());
    auto bound = BindHierarchy((*named)[c].lines, table->column(static_cast<ColumnId>(c)));
    ASSERT_TRUE(bound.ok()) << bound.error().message;
    hierarchies.push_back(std::move(bound).value());
  }
  const testing::RuleParts parts(*table, quasi, std::move(hierarchies), static_cast<ColumnId>(data.quasi));
  const Workers workers(0);
  NoProgress silent;
  EXPECT_NEAR(parts.scorer.entropy(), data.entropy, .00005);

  auto start = std::chrono::steady_clock::now();
  const Patterns patterns =
      CountPatterns(parts.rows, parts.labels.of_row, parts.labels.num_labels, {}, workers, silent).value();
  std::printf("pairs %.2f s\n", Seconds(start));
  EXPECT_EQ(patterns.pairs, data.pairs);
  EXPECT_EQ(patterns.keys.size(), data.patterns);

  start = std::chrono::steady_clock::now();
  const std::vector<Rule> all = FindAllVectors(parts.scorer, 2, 100000, workers, silent).value();
  std::printf("all levels %.2f s, %zu vectors\n", Seconds(start), all.size());
  EXPECT_EQ(all.size() + 1, data.all_vectors);  // the specification counts the vector of all tops
  std::set<LevelVector> vectors;
  for (const Rule& rule : all) vectors.insert(rule.levels);

  for (const Expected& expected : data.by_coverage) {
    SCOPED_TRACE(fmt::format("coverage {}%", expected.coverage));
    start = std::chrono::steady_clock::now();
    const auto discovery = DiscoverRules(patterns, parts.scorer, {.coverage = expected.coverage}, workers, silent);
    ASSERT_TRUE(discovery.ok());
    size_t frontier = 0;
    double accuracy = 0;
    for (const Rule& rule : discovery->rules) {
      frontier += rule.frontier ? 1 : 0;
      accuracy = std::max(accuracy, rule.accuracy);
      EXPECT_TRUE(vectors.contains(rule.levels));
    }
    std::printf("%g%%: %.3f s, %zu rules, frontier %zu, best cell accuracy %.4f\n", expected.coverage, Seconds(start),
                discovery->rules.size(), frontier, accuracy);
    Compare(*discovery, expected, *table, parts.rows.Top());
  }
}

TEST(MeasuredRules, OfElectricity) { Measure(kElectricity); }
TEST(MeasuredRules, OfAdult) { Measure(kAdult); }
TEST(MeasuredRules, OfBank) { Measure(kBank); }

}  // namespace
}  // namespace tada
