#include "learn/neighbours/near_index.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tada {
namespace {

MixedPoints Draw(size_t n) {
  MixedPoints points;
  points.num_numbers = static_cast<uint32_t>(*rc::gen::inRange(0, 4));
  points.num_names = static_cast<uint32_t>(*rc::gen::inRange(points.num_numbers == 0 ? 1 : 0, 4));
  for (uint32_t j = 0; j < points.num_names; ++j) {
    points.name_values.push_back(*rc::gen::element<Code>(2, 5, 60, 200));
    points.name_steps.push_back(1.0 / (points.name_values.back() - 1));
  }
  for (size_t i = 0; i < n; ++i) {
    for (uint32_t j = 0; j < points.num_numbers; ++j) {
      points.numbers.push_back(*rc::gen::inRange(0, 10) == 0 ? kMissingNumber : *rc::gen::inRange(0, 20) / 19.0);
    }
    for (uint32_t j = 0; j < points.num_names; ++j)
      points.names.push_back(*rc::gen::inRange<Code>(0, points.name_values[j]));
  }
  return points;
}

TEST(NearIndex, FindsWhatLookingAtEveryPointFinds) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<uint32_t>(1, 30);
    const auto n = *rc::gen::inRange<uint32_t>(
        1, std::min(120u, 8 * count) + 1);  // a search looks at 8 leaves for each point wanted
    const MixedPoints points = Draw(n);
    std::vector<uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    const NearIndex index(points, all);
    const auto query = *rc::gen::inRange<uint32_t>(0, n);
    std::erase(all, query);
    std::sort(all.begin(), all.end(), [&](uint32_t a, uint32_t b) {
      const double x = points.Distance(query, a), y = points.Distance(query, b);
      return x != y ? x < y : a < b;
    });
    all.resize(std::min<size_t>(all.size(), count));
    std::vector<uint32_t> found;
    index.Nearest(query, count, found);
    RC_ASSERT(index.num_cut_short() == 0U);
    RC_ASSERT(found.size() == all.size());
    for (size_t i = 0; i < found.size(); ++i)  // the index rounds to single precision
      RC_ASSERT(std::abs(points.Distance(query, found[i]) - points.Distance(query, all[i])) < 1e-6);
  }));
}

TEST(NearIndex, FindsTheSameForAllPointsOfALeafAtOnce) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<uint32_t>(1, 30);
    const auto n = *rc::gen::inRange<uint32_t>(1, 128 * count + 1);  // 16 leaves for each point wanted
    const MixedPoints points = Draw(std::min(n, 300U));
    std::vector<uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0U);
    const NearIndex index(points, all);
    uint32_t seen = 0;
    std::vector<uint32_t> lists;
    for (uint32_t leaf = 0; leaf < index.num_leaves(); ++leaf) {
      RC_ASSERT(index.FirstOfLeaf(leaf) == seen);
      index.NearestOfLeaf(leaf, count, lists);
      RC_ASSERT(lists.size() % count == 0U);
      for (size_t at = 0; at < lists.size(); at += count, ++seen) {
        const uint32_t query = index.members()[seen];
        std::vector<double> expected;
        for (const uint32_t other : all) {
          if (other != query) expected.push_back(points.Distance(query, other));
        }
        std::sort(expected.begin(), expected.end());
        std::vector<uint32_t> found(lists.begin() + static_cast<ptrdiff_t>(at),
                                    lists.begin() + static_cast<ptrdiff_t>(at + count));
        for (size_t i = 0; i < count; ++i) {
          RC_ASSERT((found[i] == query) == (i >= expected.size()));
          if (i < expected.size()) RC_ASSERT(std::abs(points.Distance(query, found[i]) - expected[i]) < 1e-6);
        }
        found.resize(std::min<size_t>(count, expected.size()));
        std::sort(found.begin(), found.end());
        RC_ASSERT(std::unique(found.begin(), found.end()) == found.end());
      }
    }
    RC_ASSERT(seen == points.size());
    RC_ASSERT(index.num_cut_short() == 0U);
  }));
}

TEST(NearIndex, SaysWhenItStoppedEarly) {
  MixedPoints points;  // in 40 columns everything is about equally far
  points.num_numbers = 40;
  uint64_t state = 1;
  for (int i = 0; i < 4000 * 40; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    points.numbers.push_back(static_cast<double>(state >> 40) / (1 << 24));
  }
  std::vector<uint32_t> all(4000);
  std::iota(all.begin(), all.end(), 0u);
  const NearIndex index(points, all);
  std::vector<uint32_t> found;
  index.Nearest(7, 10, found);
  EXPECT_EQ(found.size(), 10U);
  EXPECT_EQ(index.num_cut_short(), 1U);
}

}  // namespace
}  // namespace tada
