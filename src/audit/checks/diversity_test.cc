#include "audit/checks/diversity.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tada {
namespace {

uint64_t Reached(std::vector<uint32_t> counts, Diversity diversity, double c = 3) {
  return ReachedDiversity(counts, {1, 1, diversity, c});
}

TEST(Diversity, CountsDifferentValues) {
  EXPECT_EQ(Reached({7}, Diversity::kDistinct), 1u);
  EXPECT_EQ(Reached({7, 1, 1}, Diversity::kDistinct), 3u);
}

TEST(Diversity, GivesEquallyFrequentValuesTheirNumberAsEntropy) {
  for (uint32_t values = 1; values < 200; ++values) {
    for (const uint32_t rows : {1u, 3u, 7u, 1'000'003u}) {
      const std::vector<uint32_t> counts(values, rows);
      EXPECT_EQ(Reached(counts, Diversity::kEntropy), values);
      EXPECT_FALSE(EntropyReaches(counts, values + 1));
    }
  }
}

TEST(Diversity, SeesEntropyThatEqualsLnLOfUnequalCounts) {
  // p = 1/2, 1/8 four times: (1/2) ln 2 + (1/2) ln 8 = ln 4.
  EXPECT_TRUE(EntropyReaches(std::vector<uint32_t>{4, 1, 1, 1, 1}, 4));
  EXPECT_EQ(Reached({4, 1, 1, 1, 1}, Diversity::kEntropy), 4u);
  EXPECT_EQ(Reached({40000, 10000, 10000, 10000, 10000}, Diversity::kEntropy), 4u);
  EXPECT_EQ(Reached({5, 1, 1, 1, 1}, Diversity::kEntropy), 3u);
}

TEST(Diversity, DoesNotRoundUpAClassThatMissesEntropyByALittle) {
  // Misses ln 2 by about 5e-17 and 5e-15: far below what a tolerance of 1e-9 would let through.
  EXPECT_FALSE(EntropyReaches(std::vector<uint32_t>{100'000'001, 99'999'999}, 2));
  EXPECT_FALSE(EntropyReaches(std::vector<uint32_t>{10'000'001, 9'999'999}, 2));
  EXPECT_TRUE(EntropyReaches(std::vector<uint32_t>{100'000'000, 100'000'000}, 2));
}

TEST(Diversity, TakesTheLargestRecursiveL) {
  // c1=4 < 2*(1+1+1)=6 at l=2, and 4 < 2*2 fails at l=3.
  EXPECT_EQ(Reached({4, 1, 1, 1}, Diversity::kRecursive, 2), 2u);
  EXPECT_EQ(Reached({4, 2}, Diversity::kRecursive, 2), 1u);  // equality is not enough
  EXPECT_EQ(Reached({4, 2}, Diversity::kRecursive, 2.01), 2u);
  EXPECT_EQ(Reached({9}, Diversity::kRecursive, 100), 1u);
}

TEST(Diversity, AgreesWithTheDefinitionAwayFromEquality) {
  EXPECT_TRUE(rc::check([] {
    auto counts = *rc::gen::nonEmpty(rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(1, 50)));
    std::sort(counts.begin(), counts.end(), std::greater<>());
    double rows = 0, entropy = 0;
    for (const uint32_t count : counts) rows += count;
    for (const uint32_t count : counts) entropy -= count / rows * std::log(count / rows);
    const uint64_t l = Reached(counts, Diversity::kEntropy);
    RC_ASSERT(std::log(static_cast<double>(l)) <= entropy + 1e-9);
    RC_ASSERT(std::log(static_cast<double>(l + 1)) > entropy - 1e-9);
  }));
}

}  // namespace
}  // namespace tada
