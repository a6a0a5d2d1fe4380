#include "learn/clusters/constrained_kmeans.h"

#include <algorithm>

#include "base/random.h"
#include "base/status.h"
#include "learn/clusters/cluster_means.h"
#include "learn/clusters/exchange.h"
#include "learn/clusters/minimum_assignment.h"
#include "learn/clusters/seeding.h"

namespace tada {
namespace {

Points Pick(const Points& points, const std::vector<uint32_t>& chosen) {
  Points picked(chosen.size(), points.features);
  for (size_t i = 0; i < chosen.size(); ++i) std::ranges::copy(points.point(chosen[i]), picked.point(i).begin());
  return picked;
}

double SquaredShift(const Points& before, const std::vector<double>& after) {
  double sum = 0;
  for (size_t i = 0; i < after.size(); ++i) {
    const double shift = after[i] - before.values[i];
    sum += shift * shift;
  }
  return sum;
}

uint64_t CountMoved(const std::vector<uint32_t>& before, const std::vector<uint32_t>& after) {
  if (before.empty()) return after.size();
  uint64_t moved = 0;
  for (size_t i = 0; i < after.size(); ++i) moved += before[i] != after[i] ? 1 : 0;
  return moved;
}

Clustering RunOnce(const Points& points, const LaneTree& tree, const KMeansOptions& options, uint32_t restart,
                   const Workers& workers, const std::function<void(const KMeansStep&)>& on_step) {
  Clustering result;
  result.num_clusters = options.clusters;
  Points centroids = Pick(points, options.first_centroids.empty() ? SeedPoints(points, tree, options.clusters,
                                                                               MixSeed(options.seed, restart), workers)
                                                                  : options.first_centroids);
  std::vector<std::vector<uint32_t>> members;
  std::vector<double> means;
  NearestLists nearest;
  for (uint32_t iteration = 1; iteration <= std::max(1U, options.iterations); ++iteration) {
    MinimumAssignment assignment =
        AssignWithMinimum(points, tree, centroids, options.minimum, options.exact_flow, workers, nearest);
    const uint64_t moved = CountMoved(result.cluster_of, assignment.cluster_of);
    result.cluster_of = std::move(assignment.cluster_of);
    result.iterations = iteration;
    if (on_step) on_step({restart, iteration, assignment.cost, moved});
    members = ClusterMembers(result.cluster_of, options.clusters);
    means = ClusterMeans(points, members, workers);
    if (moved == 0 || SquaredShift(centroids, means) < options.tolerance) break;
    centroids = AsPoints(means, points.features);
  }
  result.objective_before_exchange = result.objective = WithinClusters(points, members, means);
  if (options.exchange_rounds == 0 || options.clusters == 1) return result;
  const ExchangeCounts counts = ExchangePoints(points, tree, options.clusters, options.minimum, options.exchange_rounds,
                                               result.cluster_of, workers);
  result.moves = counts.moves;
  result.swaps = counts.swaps;
  members = ClusterMembers(result.cluster_of, options.clusters);
  result.objective = WithinClusters(points, members, ClusterMeans(points, members, workers));
  return result;
}

}  // namespace

Clustering ConstrainedKMeans(const Points& points, const KMeansOptions& options, const Workers& workers,
                             const std::function<void(const KMeansStep&)>& on_step) {
  TADA_ASSERT(options.clusters >= 1 && options.minimum >= 1 && points.features >= 1);
  TADA_ASSERT(options.clusters * options.minimum <= points.count);
  TADA_ASSERT(options.first_centroids.empty() || options.first_centroids.size() == options.clusters);
  const LaneTree tree(points);
  Clustering best = RunOnce(points, tree, options, 0, workers, on_step);
  for (uint32_t restart = 1; restart < options.restarts; ++restart) {
    Clustering next = RunOnce(points, tree, options, restart, workers, on_step);
    if (next.objective < best.objective) best = std::move(next);
  }
  return best;
}

}  // namespace tada
