#include "learn/clusters/exchange.h"

#include <algorithm>
#include <cmath>

#include "learn/clusters/cluster_means.h"
#include "learn/neighbours/nearest.h"

namespace tada {
namespace {

constexpr size_t kClustersTried = 8;  // of each point: the nearest ones
constexpr double kLeastGain = 1e-7;   // of squared distance between standardized points; below it is rounding
constexpr double kRounding = 1.001;   // more than single precision may be off, for distances that matter
constexpr size_t kPointsPerPoll = 1024;

class Exchange {
 public:
  Exchange(const Points& points, const LaneTree& tree, size_t num_clusters, uint32_t minimum,
           std::vector<uint32_t>& cluster_of, const Workers& workers)
      : points_(points), tree_(tree), minimum_(minimum), cluster_of_(cluster_of), workers_(workers) {
    members_ = ClusterMembers(cluster_of, num_clusters);
    slot_.resize(points.count);
    touched_.assign(num_clusters, 0);
    version_.assign(num_clusters, 0);
    facing_.resize(num_clusters);
    for (const auto& members : members_) {
      for (uint32_t s = 0; s < members.size(); ++s) slot_[members[s]] = s;
    }
  }

  // One look at every point. The means are computed anew first: the steps only keep them up to date nearly.
  ExchangeCounts Round() {
    means_ = ClusterMeans(points_, members_, workers_);
    for (uint64_t& version : version_) ++version;
    nearest_ = FindNearest(points_, Lanes(AsPoints(means_, points_.features)), kClustersTried, workers_, &nearest_,
                           tree_.order());
    ++round_;
    ExchangeCounts counts;
    for (uint32_t i = 0; i < points_.count; ++i) {
      if (i % kPointsPerPoll == 0) workers_.Poll();
      if (TryMove(i)) ++counts.moves;
    }
    for (uint32_t cluster = 0; cluster < members_.size(); ++cluster) {
      workers_.Poll();
      const std::vector<uint32_t> members = members_[cluster];  // a copy: swaps change it
      for (const uint32_t i : members) {
        if (cluster_of_[i] == cluster && TrySwap(i, nearest_.ids_of(i))) ++counts.swaps;
      }
    }
    return counts;
  }

 private:
  double size(uint32_t cluster) const { return static_cast<double>(members_[cluster].size()); }
  double* mean(uint32_t cluster) { return means_.data() + cluster * points_.features; }

  // Leaving a cluster of n points at distance d from its mean lowers the objective by d n/(n-1); joining raises it by d n/(n+1).
  // The distance that the search found tells who is out without another look, if the cluster has not changed since.
  bool TryMove(uint32_t i) {
    const auto candidates = nearest_.ids_of(i);
    const auto found = nearest_.distances_of(i);
    const uint32_t from = cluster_of_[i];
    if (members_[from].size() <= minimum_ || members_[from].size() < 2) return false;
    if (IsOld(from) && std::ranges::all_of(candidates, [&](uint32_t to) { return IsOld(to); })) return false;
    const auto point = points_.point(i);
    const double saved = SquaredDistance(point, mean(from)) * size(from) / (size(from) - 1);
    double least = saved - kLeastGain;
    uint32_t best = from;
    for (size_t c = 0; c < candidates.size(); ++c) {
      const uint32_t to = candidates[c];
      if (to == from) continue;
      const double share = size(to) / (size(to) + 1);
      if (touched_[to] != round_ && found[c] * share > least * kRounding) continue;
      const double added = SquaredDistance(point, mean(to)) * share;
      if (added >= least) continue;
      least = added;
      best = to;
    }
    if (best == from) return false;
    ShiftMean(best, point, 1 / (size(best) + 1));
    ShiftMean(from, point, -1 / (size(from) - 1));
    Leave(i);
    Join(i, best);
    Touch(from);
    Touch(best);
    return true;
  }

  // Swapping x of cluster a for y of cluster b changes the objective by 2 u(y-x) - (1/n_a + 1/n_b) |y-x|^2, u = b's mean - a's.
  bool TrySwap(uint32_t i, std::span<const uint32_t> candidates) {
    const uint32_t from = cluster_of_[i];
    const auto point = points_.point(i);
    double least = -kLeastGain;
    uint32_t best = i;
    for (const uint32_t to : candidates) {
      if (to == from || (IsOld(from) && IsOld(to)) || !(Blocked(from) || Blocked(to))) continue;
      FindPartner(i, from, to, least, best);
    }
    if (best == i) return false;
    const uint32_t to = cluster_of_[best];
    const auto there = points_.point(best);
    for (size_t f = 0; f < points_.features; ++f) {
      const double shift = static_cast<double>(there[f]) - point[f];
      mean(from)[f] += shift / size(from);
      mean(to)[f] -= shift / size(to);
    }
    std::swap(members_[from][slot_[i]], members_[to][slot_[best]]);
    std::swap(slot_[i], slot_[best]);
    std::swap(cluster_of_[i], cluster_of_[best]);
    Touch(from);
    Touch(to);
    return true;
  }

  // What swaps between two clusters need to know of the second one's members: how far they lie along u, and from their mean.
  struct Facing {
    uint32_t from = UINT32_MAX;
    uint64_t from_version = 0, to_version = 0;
    double least_along = 0, widest = 0;  // over all members
    std::vector<double> direction, along, radius;
  };

  const Facing& Face(uint32_t from, uint32_t to) {
    Facing& facing = facing_[to];
    if (facing.from == from && facing.from_version == version_[from] && facing.to_version == version_[to])
      return facing;
    facing.from = from;
    facing.from_version = version_[from];
    facing.to_version = version_[to];
    facing.direction.resize(points_.features);
    for (size_t f = 0; f < points_.features; ++f) facing.direction[f] = mean(to)[f] - mean(from)[f];
    facing.along.resize(members_[to].size());
    facing.radius.resize(members_[to].size());
    for (size_t m = 0; m < members_[to].size(); ++m) {
      const auto point = points_.point(members_[to][m]);
      facing.along[m] = Along(facing, point);
      facing.radius[m] = std::sqrt(SquaredDistance(point, mean(to)));
    }
    facing.least_along = *std::ranges::min_element(facing.along);
    facing.widest = *std::ranges::max_element(facing.radius);
    return facing;
  }

  static double Along(const Facing& facing, std::span<const float> point) {
    double sum = 0;
    for (size_t f = 0; f < point.size(); ++f) sum += facing.direction[f] * point[f];
    return sum;
  }

  // The member of `to` whose place point i should take, if that changes the objective by less than `least`. |y-x| is computed only
  // for members that pass with its upper bound, the way over their mean; mostly no member can pass.
  void FindPartner(uint32_t i, uint32_t from, uint32_t to, double& least, uint32_t& best) {
    const Facing& facing = Face(from, to);
    const auto point = points_.point(i);
    const double here = Along(facing, point), away = std::sqrt(SquaredDistance(point, mean(to)));
    const double both = 1 / size(from) + 1 / size(to), at_most = away + facing.widest;
    if (2 * (facing.least_along - here) - both * at_most * at_most >= least) return;
    for (size_t m = 0; m < facing.along.size(); ++m) {
      const double outward = 2 * (facing.along[m] - here), way = away + facing.radius[m];
      if (outward - both * way * way >= least) continue;
      const uint32_t other = members_[to][m];
      const double change = outward - both * SquaredDistance(point, points_.point(other));
      if (change >= least) continue;
      least = change;
      best = other;
    }
  }

  // Whether a cluster can't give a point away. Between two that can, single moves have done nearly all that swaps could.
  bool Blocked(uint32_t cluster) const { return members_[cluster].size() <= minimum_; }

  // A cluster is old if nothing has happened to it since the last look at everything.
  bool IsOld(uint32_t cluster) const { return touched_[cluster] + 1 < round_; }
  void Touch(uint32_t cluster) {
    touched_[cluster] = round_;
    ++version_[cluster];
  }

  // Moves a mean toward a point by a share of the way between them.
  void ShiftMean(uint32_t cluster, std::span<const float> point, double share) {
    for (size_t f = 0; f < points_.features; ++f) mean(cluster)[f] += (point[f] - mean(cluster)[f]) * share;
  }

  void Leave(uint32_t i) {
    auto& members = members_[cluster_of_[i]];
    members[slot_[i]] = members.back();
    slot_[members.back()] = slot_[i];
    members.pop_back();
  }

  void Join(uint32_t i, uint32_t cluster) {
    slot_[i] = static_cast<uint32_t>(members_[cluster].size());
    members_[cluster].push_back(i);
    cluster_of_[i] = cluster;
  }

  const Points& points_;
  const LaneTree& tree_;
  uint32_t minimum_;
  std::vector<uint32_t>& cluster_of_;
  const Workers& workers_;
  std::vector<std::vector<uint32_t>> members_;
  std::vector<uint32_t> slot_;  // where a point stands among its cluster's members
  std::vector<double> means_;
  NearestLists nearest_;
  std::vector<uint32_t> touched_;  // the round in which a cluster last changed
  std::vector<uint64_t> version_;  // how often a cluster has changed
  std::vector<Facing> facing_;     // of each cluster, toward the one looked at last
  uint32_t round_ = 0;
};

}  // namespace

ExchangeCounts ExchangePoints(const Points& points, const LaneTree& tree, size_t num_clusters, uint32_t minimum,
                              uint32_t max_rounds, std::vector<uint32_t>& cluster_of, const Workers& workers) {
  Exchange exchange(points, tree, num_clusters, minimum, cluster_of, workers);
  ExchangeCounts total;
  while (total.rounds < max_rounds) {
    const ExchangeCounts round = exchange.Round();
    ++total.rounds;
    total.moves += round.moves;
    total.swaps += round.swaps;
    if (round.moves + round.swaps == 0) break;
  }
  return total;
}

}  // namespace tada
