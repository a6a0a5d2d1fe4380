#include "evaluate/clusters.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "learn/clusters/constrained_kmeans.h"
#include "learn/features/standard.h"
#include "learn/metrics.h"
#include "learn/neighbours/nearest.h"

namespace tada {
namespace {

constexpr uint32_t kStarts = 50;
constexpr int kLloydRounds = 300;

using Scaling = std::vector<Standard>;  // by column

double Middle(const CellColumn& column, const CellColumn::Cell& cell) {
  if (column.numeric) return cell.middle();
  return (static_cast<double>(column.names[cell.begin]) + column.names[cell.end - 1]) / 2;
}

Scaling Standardize(const CellTable& table) {
  Scaling scaling;
  for (const CellColumn& column : table.columns) {
    scaling.push_back(StandardOf(table.num_rows, [&](size_t row) { return Middle(column, column.cell(row)); }));
  }
  return scaling;
}

Points Scaled(const CellTable& table, const Scaling& scaling) {
  Points points(table.num_rows, table.columns.size());
  for (size_t c = 0; c < table.columns.size(); ++c) {
    for (size_t row = 0; row < table.num_rows; ++row) {
      points.point(row)[c] = static_cast<float>(scaling[c](Middle(table.columns[c], table.columns[c].cell(row))));
    }
  }
  return points;
}

Points Centroids(const Points& points, const std::vector<uint32_t>& cluster_of, const Points& before) {
  Points means(before.count, points.features);
  std::vector<double> sums(before.count * points.features, 0.0), sizes(before.count, 0.0);
  for (size_t i = 0; i < points.count; ++i) {
    ++sizes[cluster_of[i]];
    for (size_t f = 0; f < points.features; ++f) sums[cluster_of[i] * points.features + f] += points.point(i)[f];
  }
  for (size_t c = 0; c < means.count; ++c) {
    for (size_t f = 0; f < points.features; ++f) {  // an empty cluster stays where it was
      means.point(c)[f] =
          sizes[c] > 0 ? static_cast<float>(sums[c * points.features + f] / sizes[c]) : before.point(c)[f];
    }
  }
  return means;
}

std::vector<uint32_t> Assign(const Points& points, const Points& centroids, const Workers& workers) {
  return FindNearest(points, Lanes(centroids), 1, workers).ids;
}

std::vector<uint32_t> Lloyd(const Points& points, Points centroids, const Workers& workers) {
  std::vector<uint32_t> cluster_of = Assign(points, centroids, workers);
  for (int round = 0; round < kLloydRounds; ++round) {
    centroids = Centroids(points, cluster_of, centroids);
    std::vector<uint32_t> next = Assign(points, centroids, workers);
    if (next == cluster_of) break;
    cluster_of = std::move(next);
  }
  return cluster_of;
}

struct Reference {
  Points centroids;
  std::vector<uint32_t> cluster_of;
};

// All units of a grid share the raw rows, so the reference is kept: the last table's, by its points.
Reference FindReference(const Points& points, uint32_t clusters, const Workers& workers) {
  static std::mutex mutex;
  static std::pair<uint32_t, std::vector<float>> key;
  static Reference kept;
  std::lock_guard lock(mutex);
  if (key.first == clusters && key.second == points.values) return kept;
  KMeansOptions options;
  options.clusters = clusters;
  options.restarts = kStarts;
  options.iterations = kLloydRounds;
  options.exchange_rounds = 0;
  const Clustering found = ConstrainedKMeans(points, options, workers);
  const Points start = Centroids(points, found.cluster_of, Points(clusters, points.features));
  kept = {start, Lloyd(points, start, workers)};
  kept.centroids = Centroids(points, kept.cluster_of, start);
  key = {clusters, points.values};
  return kept;
}

}  // namespace

ClusterAgreement CompareClusters(const CellTable& raw, const CellTable& released, uint32_t clusters,
                                 const Workers& workers) {
  const Scaling scaling = Standardize(raw);
  const Reference reference = FindReference(Scaled(raw, scaling), clusters, workers);
  const auto assigned = Assign(Scaled(released, scaling), reference.centroids, workers);
  const auto warm = Lloyd(Scaled(released, Standardize(released)), reference.centroids, workers);
  return {AdjustedRand(reference.cluster_of, assigned), NormalizedMutualInformation(reference.cluster_of, assigned),
          AdjustedRand(reference.cluster_of, warm), NormalizedMutualInformation(reference.cluster_of, warm)};
}

}  // namespace tada
