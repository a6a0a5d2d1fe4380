#pragma once

// Clusters of points: who belongs to each, and their means.

#include <cstdint>
#include <vector>

#include "base/workers.h"
#include "learn/neighbours/points.h"

namespace tada {

/// The points of each cluster, ascending.
std::vector<std::vector<uint32_t>> ClusterMembers(const std::vector<uint32_t>& cluster_of, size_t num_clusters);

/// The mean of each cluster's points, one after the other; zeros for an empty one. Summed in the order of the points.
std::vector<double> ClusterMeans(const Points& points, const std::vector<std::vector<uint32_t>>& members,
                                 const Workers& workers);

/// Means as points, rounded to single precision.
Points AsPoints(const std::vector<double>& means, size_t features);

/// The sum of squared distances of the points to their clusters' means: what k-means minimizes.
double WithinClusters(const Points& points, const std::vector<std::vector<uint32_t>>& members,
                      const std::vector<double>& means);

/// The squared distance of a point to a mean, in double precision.
inline double SquaredDistance(std::span<const float> point, const double* mean) {
  double sum = 0;
  for (size_t f = 0; f < point.size(); ++f) {
    const double difference = point[f] - mean[f];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace tada
