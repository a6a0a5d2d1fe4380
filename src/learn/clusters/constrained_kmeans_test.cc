#include "learn/clusters/constrained_kmeans.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "learn/clusters/cluster_means.h"
#include "learn/clusters/exchange.h"
#include "learn/clusters/seeding.h"

namespace tada {
namespace {

Points RandomPoints(size_t count, size_t features, int grid, uint64_t seed) {
  Random random(seed);
  Points points(count, features);
  for (float& value : points.values) value = static_cast<float>(random.Below(grid)) * 4 / static_cast<float>(grid);
  return points;
}

double ObjectiveOf(const Points& points, const std::vector<uint32_t>& cluster_of, size_t clusters) {
  const auto members = ClusterMembers(cluster_of, clusters);
  return WithinClusters(points, members, ClusterMeans(points, members, Workers(1)));
}

TEST(SeedPoints, AreDifferentPointsEvenIfAllCoincide) {
  const Points same(40, 3);
  const auto seeds = SeedPoints(same, LaneTree(same), 30, 7, Workers(1));
  EXPECT_EQ(std::set<uint32_t>(seeds.begin(), seeds.end()).size(), 30U);
}

TEST(SeedPoints, TakeEveryPlaceOnceBeforeAnyTwice) {
  Points points(60, 1);
  for (size_t i = 0; i < 60; ++i) points.values[i] = static_cast<float>(i % 5);
  std::set<float> places;
  for (const uint32_t seed : SeedPoints(points, LaneTree(points), 5, 3, Workers(1))) places.insert(points.values[seed]);
  EXPECT_EQ(places.size(), 5U);
}

TEST(ConstrainedKMeans, KeepsTheMinimumAndTellsItsObjective) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    const Points points =
        RandomPoints(5 + random.Below(120), 1 + random.Below(4), 2 + static_cast<int>(random.Below(40)), seed);
    KMeansOptions options;
    options.minimum = static_cast<uint32_t>(1 + random.Below(5));
    options.clusters = 1 + random.Below(points.count / options.minimum);
    options.exact_flow = random.Below(2) == 1;
    options.seed = seed;
    const Clustering found = ConstrainedKMeans(points, options, Workers(1));
    std::vector<uint32_t> sizes(options.clusters, 0);
    for (const uint32_t cluster : found.cluster_of) ++sizes.at(cluster);
    RC_ASSERT(*std::min_element(sizes.begin(), sizes.end()) >= options.minimum);
    RC_ASSERT(std::abs(found.objective - ObjectiveOf(points, found.cluster_of, options.clusters)) < 1e-6);
    RC_ASSERT(found.objective <= found.objective_before_exchange + 1e-6);
  }));
}

TEST(ConstrainedKMeans, IsTheSameAtAnyNumberOfThreads) {
  const Points points = RandomPoints(3000, 6, 1000, 11);
  KMeansOptions options;
  options.clusters = 300;
  options.minimum = 5;
  const Clustering one = ConstrainedKMeans(points, options, Workers(1));
  const Clustering two = ConstrainedKMeans(points, options, Workers(2));
  const Clustering five = ConstrainedKMeans(points, options, Workers(5));
  EXPECT_EQ(one.cluster_of, two.cluster_of);
  EXPECT_EQ(one.cluster_of, five.cluster_of);
  EXPECT_EQ(one.objective, five.objective);
}

TEST(ConstrainedKMeans, FindsClustersThatStandApart) {
  Points points(90, 2);
  for (size_t i = 0; i < 90; ++i) {
    points.point(i)[0] = static_cast<float>(i % 3) * 100;
    points.point(i)[1] = static_cast<float>(i % 10);
  }
  KMeansOptions options;
  options.clusters = 3;
  options.minimum = 10;
  const Clustering found = ConstrainedKMeans(points, options, Workers(2));
  for (size_t i = 3; i < 90; ++i) EXPECT_EQ(found.cluster_of[i], found.cluster_of[i % 3]) << i;
}

TEST(ConstrainedKMeans, MoreRestartsAreNeverWorse) {
  const Points points = RandomPoints(400, 3, 50, 4);
  KMeansOptions options;
  options.clusters = 20;
  options.minimum = 8;
  const double once = ConstrainedKMeans(points, options, Workers(2)).objective;
  options.restarts = 5;
  EXPECT_LE(ConstrainedKMeans(points, options, Workers(2)).objective, once);
}

TEST(ExchangePoints, SwapsWhereNoSingleMoveIsAllowed) {
  Points points(4, 1);
  points.values = {0, 10, 0.5F, 10.5F};
  std::vector<uint32_t> cluster_of = {0, 0, 1, 1};  // both have just two, the minimum
  const ExchangeCounts counts = ExchangePoints(points, LaneTree(points), 2, 2, 10, cluster_of, Workers(1));
  EXPECT_EQ(counts.moves, 0U);
  EXPECT_EQ(counts.swaps, 1U);
  EXPECT_EQ(cluster_of[0], cluster_of[2]);
  EXPECT_EQ(cluster_of[1], cluster_of[3]);
}

TEST(ExchangePoints, NeverRaisesTheObjectiveNorBreaksTheMinimum) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    const size_t count = 6 + random.Below(60), clusters = 1 + random.Below(count / 3);
    const Points points = RandomPoints(count, 2, 30, seed);
    std::vector<uint32_t> cluster_of(count);
    for (size_t i = 0; i < count; ++i) cluster_of[i] = static_cast<uint32_t>(i % clusters);
    const double before = ObjectiveOf(points, cluster_of, clusters);
    ExchangePoints(points, LaneTree(points), clusters, 3, 10, cluster_of, Workers(1));
    RC_ASSERT(ObjectiveOf(points, cluster_of, clusters) <= before + 1e-6);
    for (const auto& members : ClusterMembers(cluster_of, clusters)) RC_ASSERT(members.size() >= 3U);
  }));
}

}  // namespace
}  // namespace tada
