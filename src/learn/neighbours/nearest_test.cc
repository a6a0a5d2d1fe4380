#include "learn/neighbours/nearest.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace tada {
namespace {

Points RandomPoints(size_t count, size_t features, int grid, Random& random) {
  Points points(count, features);
  for (float& value : points.values) value = static_cast<float>(random.Below(grid)) / 3.0F;
  return points;
}

// The slow way: sort all targets by distance, then number.
std::vector<uint32_t> SlowNearest(std::span<const float> query, const Points& targets, size_t wanted) {
  std::vector<uint32_t> ids(targets.count);
  std::iota(ids.begin(), ids.end(), 0U);
  std::stable_sort(ids.begin(), ids.end(), [&](uint32_t a, uint32_t b) {
    return SquaredDistance(query, targets.point(a)) < SquaredDistance(query, targets.point(b));
  });
  ids.resize(std::min(wanted, ids.size()));
  return ids;
}

TEST(FindNearest, AgreesWithSortingAllTargetsAlsoWhenManyAreEquallyNear) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    const size_t features = 1 + random.Below(9);
    const int grid = 2 + static_cast<int>(random.Below(50));
    const Points queries = RandomPoints(1 + random.Below(30), features, grid, random);
    const Points targets = RandomPoints(1 + random.Below(90), features, grid, random);
    const size_t wanted = 1 + random.Below(9);
    const NearestLists lists = FindNearest(queries, Lanes(targets), wanted, Workers(2));
    for (size_t q = 0; q < queries.count; ++q) {
      const auto slow = SlowNearest(queries.point(q), targets, wanted);
      RC_ASSERT(std::vector<uint32_t>(lists.ids_of(q).begin(), lists.ids_of(q).end()) == slow);
      RC_ASSERT(lists.distances_of(q)[0] == SquaredDistance(queries.point(q), targets.point(slow[0])));
    }
  }));
}

TEST(FindNearest, WhatWasNearestBeforeDoesNotChangeTheResult) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    const Points queries = RandomPoints(20, 3, 12, random), before = RandomPoints(40, 3, 12, random);
    const Points now = RandomPoints(40, 3, 12, random);
    const NearestLists old = FindNearest(queries, Lanes(before), 4, Workers(1));
    RC_ASSERT(FindNearest(queries, Lanes(now), 4, Workers(1), &old).ids ==
              FindNearest(queries, Lanes(now), 4, Workers(1)).ids);
  }));
}

TEST(FindNearest, LongListsAreSortedToo) {
  Random random(5);
  const Points queries = RandomPoints(3, 2, 1000, random), targets = RandomPoints(700, 2, 1000, random);
  const NearestLists lists = FindNearest(queries, Lanes(targets), 500, Workers(2));
  for (size_t q = 0; q < queries.count; ++q) {
    EXPECT_EQ(std::vector<uint32_t>(lists.ids_of(q).begin(), lists.ids_of(q).end()),
              SlowNearest(queries.point(q), targets, 500));
  }
}

TEST(FindNearest, ByATreeIsTheSameAlsoWithListsFromBefore) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    const size_t features = 1 + random.Below(9), wanted = 1 + random.Below(40);
    const int grid = 2 + static_cast<int>(random.Below(50));
    const Points queries = RandomPoints(1 + random.Below(30), features, grid, random);
    const Points targets = RandomPoints(1 + random.Below(400), features, grid, random);
    const LaneTree tree(targets);
    const NearestLists lists = FindNearest(queries, tree, wanted, Workers(2));
    const NearestLists elsewhere =
        FindNearest(queries, LaneTree(RandomPoints(targets.count, features, grid, random)), wanted, Workers(1));
    RC_ASSERT(FindNearest(queries, tree, wanted, Workers(1), &elsewhere).ids == lists.ids);
    for (size_t q = 0; q < queries.count; ++q) {
      const auto slow = SlowNearest(queries.point(q), targets, wanted);
      RC_ASSERT(std::vector<uint32_t>(lists.ids_of(q).begin(), lists.ids_of(q).end()) == slow);
      for (size_t i = 0; i < slow.size(); ++i)
        RC_ASSERT(lists.distances_of(q)[i] == SquaredDistance(queries.point(q), targets.point(slow[i])));
    }
  }));
}

TEST(FindNearest, InPacketsOfAnyOrderIsTheSame) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    const size_t features = 1 + random.Below(9), wanted = 1 + random.Below(24);
    const int grid = 2 + static_cast<int>(random.Below(50));
    const Points queries = RandomPoints(1 + random.Below(70), features, grid, random);
    const Points targets = RandomPoints(1 + random.Below(400), features, grid, random);
    const LaneTree tree(targets), sorted(queries);
    const NearestLists lists = FindNearest(queries, tree, wanted, Workers(1));
    const NearestLists elsewhere =
        FindNearest(queries, LaneTree(RandomPoints(targets.count, features, grid, random)), wanted, Workers(1));
    std::vector<uint32_t> mixed(queries.count);
    std::iota(mixed.begin(), mixed.end(), 0U);
    random.Shuffle(std::span(mixed));
    for (const NearestLists* before : {static_cast<const NearestLists*>(nullptr), &elsewhere}) {
      for (const std::span<const uint32_t> order : {sorted.order(), std::span<const uint32_t>(mixed)}) {
        const NearestLists packed = FindNearest(queries, tree, wanted, Workers(2), before, order);
        RC_ASSERT(packed.ids == lists.ids);
        RC_ASSERT(packed.distances == lists.distances);
      }
    }
  }));
}

TEST(FindNearest, ManyQueriesAreSortedFirstWithTheSameResult) {
  Random random(8);
  const Points queries = RandomPoints(5000, 3, 40, random), targets = RandomPoints(2000, 3, 40, random);
  const NearestLists lists = FindNearest(queries, Lanes(targets), 4, Workers(2));
  for (size_t q = 0; q < queries.count; q += 97) {
    EXPECT_EQ(std::vector<uint32_t>(lists.ids_of(q).begin(), lists.ids_of(q).end()),
              SlowNearest(queries.point(q), targets, 4));
  }
}

TEST(FindNearest, ManyTargetsAreSearchedByATreeWithTheSameResult) {
  Random random(7);
  const Points queries = RandomPoints(20, 4, 30, random), targets = RandomPoints(3000, 4, 30, random);
  const NearestLists lists = FindNearest(queries, Lanes(targets), 5, Workers(2));
  for (size_t q = 0; q < queries.count; ++q) {
    EXPECT_EQ(std::vector<uint32_t>(lists.ids_of(q).begin(), lists.ids_of(q).end()),
              SlowNearest(queries.point(q), targets, 5));
  }
}

}  // namespace
}  // namespace tada
