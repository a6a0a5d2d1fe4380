#pragma once

// Points to centroids, at least `minimum` points to each (Bradley, Bennett, Demiriz 2000), at the least sum of squared distances.
//   short    a cluster below the minimum.      arc     a point may go to a cluster, at the price of its distance.
//   chain    a row of moves a -> b -> ... -> s, one point each, that takes a point from a cluster with more than enough and
//            gives one to a short cluster; the clusters between keep their size.
// Every point starts at its nearest centroid. As long as a cluster is short, the cheapest chain that ends in it is applied. This
// is the successive shortest path algorithm for minimum-cost flow, seen from the clusters: with a price for each cluster all
// moves cost at least zero, so Dijkstra's algorithm finds the chain, and the result is optimal among all assignments on its arcs.
// Arcs: each point to its 4 nearest centroids, and the nearest points of each short cluster to it; or all there are.

#include <cstdint>
#include <vector>

#include "base/workers.h"
#include "learn/neighbours/nearest.h"
#include "learn/neighbours/points.h"

namespace tada {

struct MinimumAssignment {
  std::vector<uint32_t> cluster_of;
  double cost = 0;      ///< sum of squared distances to the centroids
  uint64_t chains = 0;  ///< how many were applied
};

/// Pre: centroids.count * minimum <= points.count. `all_arcs` is exact, and slow when many clusters are short.
/// `tree` holds the same points. `nearest` holds what the last call for these points left there, or nothing: it saves time.
MinimumAssignment AssignWithMinimum(const Points& points, const LaneTree& tree, const Points& centroids,
                                    uint32_t minimum, bool all_arcs, const Workers& workers, NearestLists& nearest);

}  // namespace tada
