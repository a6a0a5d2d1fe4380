#pragma once

// DBSCAN (Ester et al. 1996) on points with weights, by cells (Gunawan 2013; Gan and Tao 2015).
//   eps, min_points   a point is core if points within eps, itself included, weigh at least min_points.
//   cluster           core points that are linked by steps of at most eps, and the border points within eps of one.
//   noise             the rest.
//   cell              a cube of side eps / sqrt(columns): all its points are within eps of each other, so a cell that weighs
//                     min_points is all core and one cluster, and nobody lists the thousands of neighbours inside it.
// A border point goes to its nearest core point, the textbook leaves that open. In more than kMaxGridColumns columns a cell
// has too many neighbours; there a sample of points is tested and linked (DBSCAN++, Jang and Jiang 2019) and the
// result says so. Memory grows with the points, never with pairs.

#include <cstdint>
#include <vector>

#include "base/workers.h"
#include "learn/neighbours/point_tree.h"

namespace tada {

inline constexpr int32_t kNoise = -1;
inline constexpr size_t kMaxGridColumns = 6;

struct DbscanOptions {
  double eps = 0.1;
  uint64_t min_points = 5;
  uint64_t seed = 1;          ///< of the sample, where one is taken
  bool force_sample = false;  ///< for tests
};

/// Which points lie densely together.
struct DensityClusters {
  std::vector<int32_t> cluster_of;  ///< by point: a cluster from 0, numbered by first point, or kNoise
  std::vector<uint8_t> core;        ///< by point; of a sampled clustering: among the sample
  int32_t num_clusters = 0;
  size_t sampled = 0;  ///< points that were tested for being core; 0: all
};

DensityClusters Dbscan(const WeightedPoints& points, const DbscanOptions& options, const Workers& workers);

/// Where the curve of distances bends.
struct Knee {
  double eps = 0;
  std::vector<double> curve;  ///< ascending: for each sampled point the distance within which points weigh min_points
  size_t position = 0;        ///< of eps in the curve
};

/// The value farthest from the chord between the ends of the curve, over at most 20,000 rows drawn from the points.
Knee FindKnee(const WeightedPoints& points, uint64_t min_points, uint64_t seed, const Workers& workers);

}  // namespace tada
