#pragma once

// k-means in which every cluster has at least a given number of points (Bradley, Bennett, Demiriz 2000): seeds by k-means++, then
// assignment under the lower bound and means in turn, then single exchanges. Knows nothing of privacy.
//   objective   the sum of squared distances of the points to their clusters' means.

#include <cstdint>
#include <functional>
#include <vector>

#include "base/workers.h"
#include "learn/neighbours/points.h"

namespace tada {

struct KMeansOptions {
  size_t clusters = 1;
  /// Points that every cluster has at least; at least 1, so none is ever empty. clusters * minimum must not exceed the points.
  uint32_t minimum = 1;
  uint32_t iterations = 30;
  /// Stops when the squared shifts of all means sum up to less.
  double tolerance = 1e-4;
  /// Starts from this many seedings and keeps the best result.
  uint32_t restarts = 1;
  /// Solves each assignment exactly instead of on the nearest arcs. About as good (another local optimum), much slower.
  bool exact_flow = false;
  /// Rounds of single exchanges at the end; 0 for none.
  uint32_t exchange_rounds = 10;
  uint64_t seed = 1;
  /// Where to start instead of k-means++, for comparisons with other programs: as many points as there are clusters.
  std::vector<uint32_t> first_centroids = {};
};

/// What an iteration came to: for progress.
struct KMeansStep {
  uint32_t restart = 0, iteration = 0;
  double objective = 0;  ///< of the assignment, to the centroids it was made for
  uint64_t moved = 0;    ///< points that changed their cluster
};

struct Clustering {
  std::vector<uint32_t> cluster_of;
  size_t num_clusters = 0;
  double objective = 0;
  double objective_before_exchange = 0;
  uint32_t iterations = 0;
  uint64_t moves = 0, swaps = 0;  ///< of the exchanges
};

/// Pre: options.clusters >= 1, options.clusters * options.minimum <= points.count, points.features >= 1.
Clustering ConstrainedKMeans(const Points& points, const KMeansOptions& options, const Workers& workers,
                             const std::function<void(const KMeansStep&)>& on_step = {});

}  // namespace tada
