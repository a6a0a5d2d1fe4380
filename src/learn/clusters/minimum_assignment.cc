#include "learn/clusters/minimum_assignment.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "base/status.h"
#include "learn/neighbours/nearest.h"

namespace tada {
namespace {

constexpr size_t kArcsPerPoint = 4;
// A short cluster sees this many times `minimum` points at first, and then that many times more until there is a chain.
constexpr size_t kFirstReach = 4, kFartherReach = 4;

struct Arc {
  uint32_t point;
  float distance;
};

// The arcs that end in each cluster.
class Arcs {
 public:
  Arcs(const NearestLists& nearest, size_t num_clusters) : begin_(num_clusters + 1, 0), extra_(num_clusters) {
    for (const uint32_t cluster : nearest.ids) ++begin_[cluster + 1];
    for (size_t c = 0; c < num_clusters; ++c) begin_[c + 1] += begin_[c];
    arcs_.resize(nearest.ids.size());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (size_t i = 0; i < nearest.ids.size(); ++i) {
      arcs_[next[nearest.ids[i]]++] = {static_cast<uint32_t>(i / nearest.per_query), nearest.distances[i]};
    }
  }

  // Adds arcs to `clusters` from the points nearest to each.
  void Reach(const std::vector<uint32_t>& clusters, size_t wanted, const Points& centroids, const LaneTree& tree,
             const Workers& workers) {
    Points queries(clusters.size(), centroids.features);
    for (size_t i = 0; i < clusters.size(); ++i) {
      std::ranges::copy(centroids.point(clusters[i]), queries.point(i).begin());
    }
    const NearestLists lists = FindNearest(queries, tree, wanted, workers);
    for (size_t i = 0; i < clusters.size(); ++i) {
      std::vector<Arc>& arcs = extra_[clusters[i]];
      arcs.clear();
      for (size_t j = 0; j < lists.per_query; ++j) arcs.push_back({lists.ids_of(i)[j], lists.distances_of(i)[j]});
    }
  }

  template <class F>
  void ForEach(uint32_t cluster, const F& f) const {
    for (uint32_t a = begin_[cluster]; a < begin_[cluster + 1]; ++a) f(arcs_[a]);
    for (const Arc& arc : extra_[cluster]) f(arc);
  }

 private:
  std::vector<uint32_t> begin_;
  std::vector<Arc> arcs_;
  std::vector<std::vector<Arc>> extra_;
};

// Every point has an arc to every cluster; distances are computed when asked for.
class AllArcs {
 public:
  AllArcs(const Points& points, const Points& centroids) : lanes_(points), centroids_(centroids) {}

  template <class F>
  void ForEach(uint32_t cluster, const F& f) const {
    FindDistances(centroids_.point(cluster), lanes_, distances_);
    for (size_t i = 0; i < lanes_.count(); ++i) f({static_cast<uint32_t>(i), distances_[i]});
  }

 private:
  Lanes lanes_;
  const Points& centroids_;
  mutable std::vector<float> distances_;
};

class ChainSearch {
 public:
  ChainSearch(const NearestLists& nearest, size_t num_clusters, uint32_t minimum)
      : minimum_(minimum),
        cluster_of_(nearest.ids.size() / nearest.per_query),
        distance_of_(cluster_of_.size()),
        size_(num_clusters, 0),
        price_(num_clusters, 0.0),
        length_(num_clusters, kFar),
        step_(num_clusters),
        dead_end_(num_clusters, 0) {
    // Of equally near centroids (tables of few values have many) the one with the fewest points so far: fewer end up short.
    for (size_t i = 0; i < cluster_of_.size(); ++i) {
      const auto ids = nearest.ids_of(i);
      const auto distances = nearest.distances_of(i);
      uint32_t best = ids[0];
      for (size_t j = 1; j < ids.size() && distances[j] == distances[0]; ++j) {
        if (size_[ids[j]] < size_[best]) best = ids[j];
      }
      cluster_of_[i] = best;
      distance_of_[i] = distances[0];
      ++size_[best];
    }
  }

  std::vector<uint32_t> ShortClusters() const {
    std::vector<uint32_t> clusters;
    for (uint32_t c = 0; c < size_.size(); ++c) {
      if (size_[c] < minimum_) clusters.push_back(c);
    }
    return clusters;
  }

  // Fills a short cluster up; false if its arcs do not allow it.
  template <class AnyArcs>
  bool Fill(uint32_t target, const AnyArcs& arcs) {
    while (size_[target] < minimum_) {
      if (dead_end_[target] != 0) return false;
      const uint32_t source = FindChain(target, arcs);
      if (source == kNone) return false;
      Apply(source, target);
    }
    return true;
  }

  MinimumAssignment Take() {
    MinimumAssignment result;
    for (const float distance : distance_of_) result.cost += distance;
    result.cluster_of = std::move(cluster_of_);
    result.chains = chains_;
    return result;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  // The move that a chain makes out of a cluster.
  struct Step {
    uint32_t to, point;
    float distance;  // of the point to `to`
  };

  // Dijkstra's algorithm backwards from the target to the nearest cluster that can spare a point. Settles prices on the way
  // out, so that all moves cost at least zero next time too (minimum-cost flow by successive shortest paths).
  template <class AnyArcs>
  uint32_t FindChain(uint32_t target, const AnyArcs& arcs) {
    using Entry = std::pair<double, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    settled_.clear();
    touched_.assign(1, target);
    length_[target] = 0;
    queue.emplace(0.0, target);
    uint32_t source = kNone;
    while (!queue.empty() && source == kNone) {
      const auto [length, cluster] = queue.top();
      queue.pop();
      if (length > length_[cluster]) continue;  // an older, longer entry
      if (size_[cluster] > minimum_) {
        source = cluster;
        break;
      }
      settled_.push_back(cluster);
      arcs.ForEach(cluster, [&, to = cluster, so_far = length](const Arc& arc) {
        const uint32_t from = cluster_of_[arc.point];
        if (from == to || dead_end_[from] != 0) return;
        const double cost = static_cast<double>(arc.distance) - distance_of_[arc.point] + price_[to] - price_[from];
        const double candidate = so_far + std::max(cost, 0.0);
        if (candidate >= length_[from]) return;
        if (length_[from] == kFar) touched_.push_back(from);
        length_[from] = candidate;
        step_[from] = {to, arc.point, arc.distance};
        queue.emplace(candidate, from);
      });
    }
    if (source != kNone) {
      for (const uint32_t cluster : settled_) price_[cluster] += length_[cluster] - length_[source];
    } else {
      for (const uint32_t cluster : settled_) dead_end_[cluster] = 1;
    }
    for (const uint32_t cluster : touched_) length_[cluster] = kFar;
    return source;
  }

  void Apply(uint32_t source, uint32_t target) {
    --size_[source];
    ++size_[target];
    for (uint32_t cluster = source; cluster != target;) {
      const Step& step = step_[cluster];
      cluster_of_[step.point] = step.to;
      distance_of_[step.point] = step.distance;
      cluster = step.to;
    }
    ++chains_;
  }

  uint32_t minimum_;
  std::vector<uint32_t> cluster_of_;
  std::vector<float> distance_of_;  // of each point to its cluster's centroid
  std::vector<uint32_t> size_;
  std::vector<double> price_;
  std::vector<double> length_;  // of the cheapest chain from a cluster to the target; kFar outside of a search
  std::vector<Step> step_;
  // Clusters from which a search found no source. Whatever may move into one of them is in one of them too, and no chain ever passes
  // them, so none of that changes: they lead nowhere in later searches either, and leaving them out changes no other chain.
  std::vector<uint8_t> dead_end_;
  std::vector<uint32_t> settled_, touched_;
  uint64_t chains_ = 0;
};

}  // namespace

MinimumAssignment AssignWithMinimum(const Points& points, const LaneTree& tree, const Points& centroids,
                                    uint32_t minimum, bool all_arcs, const Workers& workers, NearestLists& nearest) {
  TADA_ASSERT(centroids.count > 0 && centroids.count * minimum <= points.count);
  nearest = FindNearest(points, Lanes(centroids), kArcsPerPoint, workers, &nearest, tree.order());
  Arcs arcs(nearest, centroids.count);
  std::vector<uint32_t> out_of_reach;  // clusters that found no chain on the arcs of the last attempt
  for (size_t reach = kFirstReach * minimum;; reach *= kFartherReach) {
    // Starts anew when arcs were added: a price that was right without an arc may be wrong with it.
    ChainSearch search(nearest, centroids.count, minimum);
    const std::vector<uint32_t> wanting = search.ShortClusters();
    const auto fill_all = [&](const auto& any_arcs) {
      std::vector<uint32_t> failed;
      for (const uint32_t cluster : wanting) {
        workers.Poll();
        if (!search.Fill(cluster, any_arcs)) failed.push_back(cluster);
      }
      return failed;
    };
    if (all_arcs) {
      out_of_reach = fill_all(AllArcs(points, centroids));
    } else {
      arcs.Reach(reach == kFirstReach * minimum ? wanting : out_of_reach, reach, centroids, tree, workers);
      out_of_reach = fill_all(arcs);
    }
    if (out_of_reach.empty()) return search.Take();
    // With an arc from every point to a short cluster there is a chain: K * minimum <= n leaves a point to spare somewhere.
    TADA_ASSERT(!all_arcs && reach < points.count);
  }
}

}  // namespace tada
