#include "learn/clusters/cluster_means.h"

namespace tada {

std::vector<std::vector<uint32_t>> ClusterMembers(const std::vector<uint32_t>& cluster_of, size_t num_clusters) {
  std::vector<std::vector<uint32_t>> members(num_clusters);
  for (size_t i = 0; i < cluster_of.size(); ++i) members[cluster_of[i]].push_back(static_cast<uint32_t>(i));
  return members;
}

std::vector<double> ClusterMeans(const Points& points, const std::vector<std::vector<uint32_t>>& members,
                                 const Workers& workers) {
  const size_t features = points.features;
  std::vector<double> means(members.size() * features, 0.0);
  workers.ForBlocks(members.size(), 64, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      double* mean = means.data() + c * features;
      for (const uint32_t i : members[c]) {
        const auto point = points.point(i);
        for (size_t f = 0; f < features; ++f) mean[f] += point[f];
      }
      for (size_t f = 0; f < features && !members[c].empty(); ++f) mean[f] /= static_cast<double>(members[c].size());
    }
  });
  return means;
}

Points AsPoints(const std::vector<double>& means, size_t features) {
  Points points(features == 0 ? 0 : means.size() / features, features);
  for (size_t i = 0; i < means.size(); ++i) points.values[i] = static_cast<float>(means[i]);
  return points;
}

double WithinClusters(const Points& points, const std::vector<std::vector<uint32_t>>& members,
                      const std::vector<double>& means) {
  double sum = 0;
  for (size_t c = 0; c < members.size(); ++c) {
    for (const uint32_t i : members[c]) sum += SquaredDistance(points.point(i), means.data() + c * points.features);
  }
  return sum;
}

}  // namespace tada
