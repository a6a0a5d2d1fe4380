#include "learn/clusters/minimum_assignment.h"

#include <gtest/gtest.h>
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace tada {
namespace {

Points RandomPoints(size_t count, size_t features, int grid, Random& random) {
  Points points(count, features);
  for (float& value : points.values) value = static_cast<float>(random.Below(grid)) / 16.0F;
  return points;
}

MinimumAssignment Assign(const Points& points, const Points& centroids, uint32_t minimum, bool all_arcs) {
  NearestLists nearest;
  return AssignWithMinimum(points, LaneTree(points), centroids, minimum, all_arcs, Workers(2), nearest);
}

double CostOf(const Points& points, const Points& centroids, const std::vector<uint32_t>& cluster_of) {
  double cost = 0;
  for (size_t i = 0; i < points.count; ++i) cost += SquaredDistance(points.point(i), centroids.point(cluster_of[i]));
  return cost;
}

uint32_t Smallest(const std::vector<uint32_t>& cluster_of, size_t clusters) {
  std::vector<uint32_t> sizes(clusters, 0);
  for (const uint32_t cluster : cluster_of) ++sizes[cluster];
  return *std::min_element(sizes.begin(), sizes.end());
}

// The optimum by trying every assignment.
double BruteForce(const Points& points, const Points& centroids, uint32_t minimum) {
  double best = INFINITY;
  std::vector<uint32_t> cluster_of(points.count, 0);
  for (;;) {
    if (Smallest(cluster_of, centroids.count) >= minimum) best = std::min(best, CostOf(points, centroids, cluster_of));
    size_t i = 0;
    while (i < points.count && ++cluster_of[i] == centroids.count) cluster_of[i++] = 0;
    if (i == points.count) return best;
  }
}

// The optimum as a minimum-cost flow, solved by LEMON's network simplex: source -> points -> centroids -> sink, at least
// `minimum` units through each centroid. Costs are the same single-precision distances, scaled to integers.
double NetworkFlow(const Points& points, const Points& centroids, uint32_t minimum) {
  constexpr double kScale = 65536;
  lemon::SmartDigraph graph;
  std::vector<lemon::SmartDigraph::Node> from, to;
  for (size_t i = 0; i < points.count; ++i) from.push_back(graph.addNode());
  for (size_t c = 0; c < centroids.count; ++c) to.push_back(graph.addNode());
  const auto sink = graph.addNode();
  lemon::SmartDigraph::ArcMap<int64_t> cost(graph, 0), lower(graph, 0), upper(graph, 1);
  lemon::SmartDigraph::NodeMap<int64_t> supply(graph, 0);
  for (size_t i = 0; i < points.count; ++i) {
    supply[from[i]] = 1;
    for (size_t c = 0; c < centroids.count; ++c) {
      cost[graph.addArc(from[i], to[c])] = std::llround(kScale * SquaredDistance(points.point(i), centroids.point(c)));
    }
  }
  for (size_t c = 0; c < centroids.count; ++c) {
    const auto arc = graph.addArc(to[c], sink);
    lower[arc] = minimum;
    upper[arc] = static_cast<int64_t>(points.count);
  }
  supply[sink] = -static_cast<int64_t>(points.count);
  for (lemon::SmartDigraph::ArcIt arc(graph); arc != lemon::INVALID; ++arc) {
    if (upper[arc] == 0) upper[arc] = 1;
  }
  lemon::NetworkSimplex<lemon::SmartDigraph, int64_t, int64_t> simplex(graph);
  simplex.lowerMap(lower).upperMap(upper).costMap(cost).supplyMap(supply);
  const auto status = simplex.run();
  EXPECT_EQ(status, decltype(simplex)::OPTIMAL);  // an infeasible graph also leaves numbers behind
  return static_cast<double>(simplex.totalCost<int64_t>()) / kScale;
}

TEST(MinimumAssignment, AllArcsGiveTheOptimumOfEveryAssignment) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Random random(seed);
    const size_t clusters = 1 + random.Below(3);
    const size_t count = clusters + random.Below(8 - clusters);
    const Points points = RandomPoints(count, 1 + random.Below(3), 2 + static_cast<int>(random.Below(64)), random);
    const Points centroids = RandomPoints(clusters, points.features, 64, random);
    const auto minimum = static_cast<uint32_t>(1 + random.Below(count / clusters));
    const MinimumAssignment found = Assign(points, centroids, minimum, true);
    RC_ASSERT(Smallest(found.cluster_of, clusters) >= minimum);
    RC_ASSERT(std::abs(found.cost - CostOf(points, centroids, found.cluster_of)) < 1e-9);
    RC_ASSERT(found.cost <= BruteForce(points, centroids, minimum) + 1e-9);
  }));
}

TEST(MinimumAssignment, AllArcsGiveTheOptimumOfTheNetworkSimplex) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const size_t count = 200 + random.Below(300), clusters = 10 + random.Below(30);
    const Points points = RandomPoints(count, 4, 48, random);
    Points centroids = RandomPoints(clusters, 4, 48, random);
    for (size_t c = 0; c < clusters / 2; ++c) {  // half of them in a corner, so that many are short and chains are long
      for (float& value : centroids.point(c)) value /= 8;
    }
    const auto minimum = static_cast<uint32_t>(count / clusters);
    const MinimumAssignment exact = Assign(points, centroids, minimum, true);
    EXPECT_GE(Smallest(exact.cluster_of, clusters), minimum);
    EXPECT_NEAR(exact.cost, NetworkFlow(points, centroids, minimum), 1e-6 * exact.cost + 0.01) << seed;
    const MinimumAssignment near = Assign(points, centroids, minimum, false);
    EXPECT_GE(Smallest(near.cluster_of, clusters), minimum);
    EXPECT_GE(near.cost, exact.cost - 1e-6) << seed;
  }
}

TEST(MinimumAssignment, LeavesEveryPointAtItsNearestCentroidIfThatIsEnough) {
  Points points(6, 1), centroids(2, 1);
  points.values = {0, 1, 2, 10, 11, 12};
  centroids.values = {1, 11};
  const MinimumAssignment found = Assign(points, centroids, 3, false);
  EXPECT_EQ(found.cluster_of, (std::vector<uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(found.chains, 0U);
}

TEST(MinimumAssignment, PassesPointsThroughClustersThatHaveJustEnough) {
  // Points at 0, 10 (twice) and 20 (three times). The first cluster is one short; taking from the second would leave that short.
  Points points(6, 1), centroids(3, 1);
  points.values = {0, 10, 10, 20, 20, 20};
  centroids.values = {0, 10, 20};
  const MinimumAssignment found = Assign(points, centroids, 2, false);
  EXPECT_EQ(found.cost, 200.0);  // 10 -> 0 and 20 -> 10; straight from 20 to 0 it would be 400
}

TEST(MinimumAssignment, ReachesFarWhenOnlyFarClustersHaveToSpare) {
  // All there is to spare lies far away behind centroids that are nearer to those points than any short one.
  Points points(100, 1), centroids(10, 1);
  for (size_t i = 0; i < 100; ++i) points.values[i] = i < 9 ? static_cast<float>(i) : 1000 + static_cast<float>(i % 7);
  for (size_t c = 0; c < 10; ++c) centroids.values[c] = c < 9 ? static_cast<float>(c) : 1003;
  const MinimumAssignment near = Assign(points, centroids, 5, false), exact = Assign(points, centroids, 5, true);
  EXPECT_GE(Smallest(near.cluster_of, 10), 5U);
  EXPECT_NEAR(near.cost, exact.cost, 0.05 * exact.cost);
}

}  // namespace
}  // namespace tada
