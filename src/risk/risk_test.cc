#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <map>

#include "risk/individual_risk.h"
#include "risk/population.h"
#include "risk/suda.h"

namespace tada {
namespace {

// A sample of 2,442 of the 48,842 people of Adult, by age, sex, race, marital status and education, of whom 3,948 are unique.
const ClassSizes kTwentieth = {{1, 969}, {2, 203}, {3, 65}, {4, 39}, {5, 24}, {6, 18}, {7, 21},
                               {8, 10},  {9, 10},  {10, 5}, {11, 5}, {12, 3}, {15, 2}};
constexpr double kAdults = 48'842;

TEST(Uniques, AreThoseOfOtherComputations) {
  const UniqueEstimates found = EstimateUniques(kTwentieth, kAdults);
  EXPECT_NEAR(found.zayatz, 8658.28, .005);
  EXPECT_NEAR(found.pitman.value(), 5080.02, .01);  // scipy: theta 394.583, alpha .530231
  EXPECT_NEAR(found.snb.value(), 5369.43, .005);    // scipy: a .1541, b .0452493
  EXPECT_EQ(found.chosen, "Pitman");
  EXPECT_EQ(found.uniques, found.pitman.value());
}

// Zayatz by hand: N=10, n=5 in classes of 1, 1, 1 and 2. h(1) = C(9,4)/C(10,5) = 1/2, h(2) = 2 C(8,4)/C(10,5) = 5/9; P = 3/2 / (3/2 + 5/9) =
// 27/37, U = 3 P / (1/2).
TEST(Uniques, OfATinySampleAreThoseOfTheDefinition) {
  const ClassSizes sizes = {{1, 3}, {2, 1}};
  EXPECT_NEAR(ZayatzUniques(sizes, 10), 6 * 27.0 / 37, 1e-12);
  EXPECT_NEAR(UniqueMatchChance(sizes, 10), 3 * .5 / (3 * .5 + 2 * .5), 1e-15);
}

TEST(Uniques, ThereAreNoneWhereNobodyIsAlone) {
  const UniqueEstimates found = EstimateUniques({{2, 10}, {5, 3}}, 1000);
  EXPECT_EQ(found.uniques, 0);
  EXPECT_EQ(found.zayatz, 0);
  EXPECT_EQ(UniqueMatchChance({{2, 10}}, 100), 0);
}

TEST(Uniques, OfAWholePopulationAreItsOwn) {
  const ClassSizes sizes = {{1, 7}, {2, 3}, {9, 1}};
  EXPECT_NEAR(ZayatzUniques(sizes, 22), 7, 1e-9);
  EXPECT_NEAR(EstimateUniques(sizes, 22).uniques, 7, 1e-9);
  EXPECT_NEAR(UniqueMatchChance(sizes, 22), 1, 1e-12);
}

TEST(Uniques, AboveATenthTheSmallerOfTwoIsTaken) {
  const UniqueEstimates found = EstimateUniques(kTwentieth, 2442 * 5);
  ASSERT_TRUE(found.snb);
  EXPECT_EQ(found.uniques, std::min(found.zayatz, *found.snb));
  EXPECT_NE(found.chosen, "Pitman");
}

TEST(Uniques, AreFiniteAndInThePopulation) {
  EXPECT_TRUE(rc::check([] {
    std::map<uint64_t, uint64_t> by_size;
    for (int i = *rc::gen::inRange(1, 6); i > 0; --i) by_size[*rc::gen::inRange(1, 12)] += *rc::gen::inRange(1, 40);
    const ClassSizes sizes(by_size.begin(), by_size.end());
    const double people = static_cast<double>(Members(sizes)) * *rc::gen::inRange(1, 300);
    const UniqueEstimates found = EstimateUniques(sizes, people);
    RC_ASSERT(found.uniques >= 0 && found.uniques <= people * (1 + 1e-9));
    RC_ASSERT(std::isfinite(found.zayatz));
    if (found.pitman) RC_ASSERT(std::isfinite(*found.pitman) && *found.pitman >= 0);
    if (found.snb) RC_ASSERT(std::isfinite(*found.snb) && *found.snb >= 0);
  }));
}

TEST(KMap, FourRowsStandForTenPeopleInATenth) {
  EXPECT_EQ(LeastClass(10, .1, .05), 4);
  EXPECT_EQ(ReachedKMap(4, .1, .05), 13);  // Poisson(1.3): 4 or more with .043; Poisson(1.4): .054
  EXPECT_EQ(LeastClass(13, .1, .05), 4);
  EXPECT_EQ(LeastClass(14, .1, .05), 5);
  EXPECT_EQ(LeastClass(10, 1, .05), 10);
  EXPECT_EQ(LeastClass(1, .5, .05), 1);
}

TEST(KMap, WhatIsReachedIsTheMostThatAClassStandsFor) {
  EXPECT_TRUE(rc::check([] {
    const auto size = *rc::gen::inRange<uint64_t>(1, 60);
    const double sampling = *rc::gen::inRange(1, 1000) / 1000.0;
    const uint64_t k = ReachedKMap(size, sampling);
    RC_ASSERT(k >= size);
    RC_ASSERT(LeastClass(k, sampling) <= size);
    RC_ASSERT(LeastClass(k + 1, sampling) > size);
  }));
}

// The eight rows of Capobianchi, Polettini and Lucarelli, as in sdcMicro.
TEST(IndividualRisk, IsThatOfTheLiterature) {
  EXPECT_NEAR(static_cast<double>(IndividualRisk(2, 110)), 0.01714426, 5e-9);
  EXPECT_NEAR(static_cast<double>(IndividualRisk(2, 84.5)), 0.02204233, 5e-9);
  EXPECT_NEAR(static_cast<double>(IndividualRisk(1, 17)), 0.17707583, 5e-9);
  EXPECT_NEAR(static_cast<double>(IndividualRisk(1, 541)), 0.01165448, 5e-9);
  EXPECT_NEAR(static_cast<double>(IndividualRisk(1, 8)), 0.29706308, 5e-9);
  EXPECT_NEAR(static_cast<double>(IndividualRisk(1, 5)), 0.40235948, 5e-9);
  EXPECT_EQ(IndividualRisk(8, 8), 1 / 8.0L);
  EXPECT_EQ(IndividualRisk(8, 3), 1 / 8.0L);
}

// The mean of 1/j over the negative binomial distribution, term by term.
long double ByDistribution(uint64_t members, long double people) {
  const auto f = static_cast<long double>(members);
  const long double p = f / people;
  long double chance = std::pow(p, f), sum = 0;
  for (long double j = f; j < people * 60 + 1000; ++j) {
    sum += chance / j;
    chance *= j / (j - f + 1) * (1 - p);
  }
  return sum;
}

TEST(IndividualRisk, IsTheMeanOverTheDistribution) {
  for (const uint64_t members : {1, 2, 3, 7, 20, 59, 60, 61, 62, 90}) {
    for (const long double times : {1.01L, 1.5L, 2.4L, 2.6L, 10.0L, 200.0L}) {
      const long double people = static_cast<long double>(members) * times;
      const long double risk = IndividualRisk(members, people);
      EXPECT_NEAR(static_cast<double>(risk / ByDistribution(members, people)), 1, 1e-12) << members << " " << people;
    }
  }
}

TEST(IndividualRisk, FallsWithEveryMemberAndEveryPerson) {
  EXPECT_TRUE(rc::check([] {
    const auto members = *rc::gen::inRange<uint64_t>(1, 200);
    const long double people = static_cast<long double>(members) * (1 + *rc::gen::inRange(0, 5000) / 100.0L);
    const long double risk = IndividualRisk(members, people);
    RC_ASSERT(risk <= 1 / static_cast<long double>(members));
    RC_ASSERT(risk * people >= 1 - 1e-15L);
    RC_ASSERT(IndividualRisk(members, people + 1) < risk);
    RC_ASSERT(IndividualRisk(members + 1, people) <= risk || people < static_cast<long double>(members + 1));
    RC_ASSERT(IndividualRisk(members + 1, people + 1) < risk);
  }));
}

TEST(Population, RisksOfWeightedClassesAreTheirs) {
  const auto risk =
      MeasurePopulation(std::vector<WeightedClass>{{2, 110}, {2, 84.5}, {1, 17}, {1, 541}, {1, 8}, {1, 5}}, 3);
  EXPECT_EQ(risk->members, 8);
  EXPECT_EQ(risk->people, 765.5);
  EXPECT_NEAR(risk->highest_risk, 0.40235948, 5e-9);
  EXPECT_NEAR(risk->expected_found(), 2 * (.01714426 + .02204233) + .17707583 + .01165448 + .29706308 + .40235948,
              1e-7);
  EXPECT_FALSE(MeasurePopulation(ClassSizes{{1, 2}}, {}, 3));
}

// The example of the SDC practice guide: eleven people by gender, region, education and labour status.
TEST(Suda, ScoresOfElevenPeople) {
  const std::vector<std::vector<Code>> columns = {{0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0},
                                                  {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
                                                  {0, 0, 1, 2, 2, 2, 3, 4, 0, 0, 2},
                                                  {0, 0, 1, 0, 2, 0, 1, 2, 1, 1, 1}};
  const SudaScores scores = Suda(columns, 3, Workers(1));
  EXPECT_EQ(scores.smallest, (std::vector<uint8_t>{0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 2}));
  EXPECT_EQ(scores.of_row[2], 6);   // primary incomplete
  EXPECT_EQ(scores.of_row[6], 6);   // primary complete
  EXPECT_EQ(scores.of_row[7], 10);  // post-secondary; male and unemployed; urban and unemployed
  EXPECT_EQ(scores.of_row[4], 10);  // rural; female and unemployed; secondary complete and unemployed
  EXPECT_EQ(scores.of_row[10], 3);  // secondary complete and not in the labour force; female, urban, secondary complete
  EXPECT_EQ(scores.rows_by_size, (std::vector<uint64_t>{6, 4, 1, 0}));
}

// Of sdcMicro's tests.
TEST(Suda, SharesOfColumns) {
  const SudaScores scores = Suda(std::vector<std::vector<Code>>{{2, 1, 1}, {0, 3, 0}, {0, 6, 0}}, 3, Workers(1));
  EXPECT_EQ(scores.of_column, (std::vector<double>{.5, .375, .375}));
  EXPECT_EQ(scores.of_row, (std::vector<double>{2, 4, 2}));
}

// All sets of columns, one by one.
SudaScores ByDefinition(const std::vector<std::vector<Code>>& columns, size_t largest) {
  const size_t rows = columns[0].size();
  SudaScores scores{.of_row = std::vector<double>(rows)};
  const auto alone = [&](size_t row, uint32_t set) {
    for (size_t other = 0; other < rows; ++other) {
      bool alike = other != row;
      for (size_t c = 0; c < columns.size(); ++c)
        alike = alike && ((set >> c & 1) == 0 || columns[c][row] == columns[c][other]);
      if (alike) return false;
    }
    return true;
  };
  for (size_t row = 0; row < rows; ++row) {
    for (uint32_t set = 1; set < 1u << columns.size(); ++set) {
      const auto size = static_cast<size_t>(std::popcount(set));
      bool minimal = size <= largest && alone(row, set);
      for (size_t c = 0; c < columns.size(); ++c) {
        if ((set >> c & 1) != 0 && size > 1) minimal = minimal && !alone(row, set & ~(1u << c));
      }
      double score = 1;
      for (size_t i = size; i <= largest; ++i) score *= static_cast<double>(columns.size() - i);
      if (minimal) scores.of_row[row] += score;
    }
  }
  return scores;
}

TEST(Suda, IsTheDefinitionAtAnyNumberOfThreads) {
  EXPECT_TRUE(rc::check([] {
    const auto rows = *rc::gen::inRange<size_t>(1, 14);
    std::vector<std::vector<Code>> columns(*rc::gen::inRange<size_t>(2, 6));
    for (auto& codes : columns) codes = *rc::gen::container<std::vector<Code>>(rows, rc::gen::inRange<Code>(0, 4));
    const size_t largest = std::min(*rc::gen::inRange<size_t>(1, 5), columns.size() - 1);
    const SudaScores scores = Suda(columns, largest, Workers(2));
    RC_ASSERT(scores.of_row == ByDefinition(columns, largest).of_row);
    RC_ASSERT(scores.of_column == Suda(columns, largest, Workers(1)).of_column);
  }));
}

}  // namespace
}  // namespace tada
