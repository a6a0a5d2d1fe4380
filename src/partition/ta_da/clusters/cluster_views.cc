#include "partition/ta_da/clusters/cluster_views.h"

#include <algorithm>

#include "base/log2.h"
#include "base/random.h"
#include "learn/clusters/constrained_kmeans.h"

namespace tada {
namespace {

constexpr size_t kClusters[] = {3, 4, 5, 6, 8, 10};
constexpr uint32_t kRestarts = 3;
constexpr double kLeastChance = 1e-30;
constexpr double kLog2E = 1.4426950408889634;
constexpr uint64_t kSeed = 0xc1a5;

Points Beside(const Points& a, const Points& b) {
  Points both(a.count, a.features + b.features);
  for (size_t i = 0; i < a.count; ++i) {
    std::copy_n(a.point(i).begin(), a.features, both.point(i).begin());
    if (b.features > 0) std::copy_n(b.point(i).begin(), b.features, both.point(i).begin() + a.features);
  }
  return both;
}

std::vector<double> Means(const Points& points, const std::vector<uint32_t>& cluster_of, size_t clusters) {
  std::vector<double> means(clusters * points.features, 0.0), rows(clusters, 0.0);
  for (size_t i = 0; i < points.count; ++i) {
    rows[cluster_of[i]] += 1;
    for (size_t f = 0; f < points.features; ++f) means[cluster_of[i] * points.features + f] += points.point(i)[f];
  }
  for (size_t at = 0; at < means.size(); ++at) means[at] /= rows[at / points.features];
  return means;
}

double SquaredDistance(const double* a, const float* b, size_t features) {
  double sum = 0;
  for (size_t f = 0; f < features; ++f) sum += (a[f] - b[f]) * (a[f] - b[f]);
  return sum;
}

// Squared distances as what they count for in a softmax, the nearest of each view being 1.
void Soften(std::span<double> distances) {
  const double least = *std::ranges::min_element(distances);
  for (double& distance : distances) distance = Exp2((least - distance) * kLog2E);
}

}  // namespace

ClusterViews::ClusterViews(const Problem& problem, const Points& cells, const Points& kept)
    : features_(cells.features) {
  const Points both = Beside(cells, kept);
  std::vector<double> kept_of_centroid;
  for (const size_t wanted : kClusters) {
    KMeansOptions options;
    options.clusters = std::min(wanted, both.count);
    options.restarts = kRestarts;
    options.seed = MixSeed(MixSeed(problem.seed, kSeed), wanted);
    View view{centroids_, options.clusters, ConstrainedKMeans(both, options, problem.workers).cluster_of};
    const std::vector<double> means = Means(both, view.cluster_of, view.clusters);
    for (size_t c = 0; c < view.clusters; ++c) {
      const auto mean = means.begin() + static_cast<std::ptrdiff_t>(c * both.features);
      const auto middle = mean + static_cast<std::ptrdiff_t>(features_);
      cells_of_centroid_.insert(cells_of_centroid_.end(), mean, middle);
      kept_of_centroid.insert(kept_of_centroid.end(), middle, mean + static_cast<std::ptrdiff_t>(both.features));
    }
    centroids_ += view.clusters;
    views_.push_back(std::move(view));
  }
  kept_nearness_.resize(both.count * centroids_);
  for (size_t i = 0; i < both.count; ++i) {
    const std::span<double> own = std::span(kept_nearness_).subspan(i * centroids_, centroids_);
    for (size_t c = 0; c < centroids_; ++c) {
      own[c] = SquaredDistance(kept_of_centroid.data() + c * kept.features, kept.point(i).data(), kept.features);
    }
    for (const View& view : views_) Soften(own.subspan(view.first, view.clusters));
  }
}

void ClusterViews::Look(std::span<const double> middle, Nearness& nearness) const {
  nearness.assign(centroids_, 0.0);
  for (size_t c = 0; c < centroids_; ++c) {
    for (size_t f = 0; f < features_; ++f) {
      const double off = middle[f] - cells_of_centroid_[c * features_ + f];
      nearness[c] += off * off;
    }
  }
  for (const View& view : views_) Soften(std::span(nearness).subspan(view.first, view.clusters));
}

void ClusterViews::Sum::Add(double chance) {
  product *= std::max(chance, kLeastChance);
  if (product > 1e-200) return;
  logs += Log2(product);
  product = 1;
}

double ClusterViews::Sum::Doubt() const { return -(logs + Log2(product)) / kLog2E; }

void ClusterViews::Add(const Nearness& nearness, uint32_t row, Sum& sum) const {
  const double* const kept = kept_nearness_.data() + row * centroids_;
  for (const View& view : views_) {
    double all = 0;
    for (size_t c = view.first; c < view.first + view.clusters; ++c) all += nearness[c] * kept[c];
    const size_t own = view.first + view.cluster_of[row];
    sum.Add(all > 0 ? nearness[own] * kept[own] / all : 0);
  }
}

}  // namespace tada
