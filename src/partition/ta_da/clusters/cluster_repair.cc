#include "partition/ta_da/clusters/cluster_repair.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

#include "learn/neighbours/lane_tree.h"
#include "partition/ta_da/clusters/wanted_values.h"

namespace tada {
namespace {

constexpr size_t kNearestWanted = 60;  // rows that a failing cluster considers
// Helping a cluster may add at most this share of the squared distance that dissolving it would add: a row from afar widens the
// cells of every row of the cluster, while rows that leave a dissolved one each find a place nearby. Measured: docs.
constexpr double kHelpAtMost = 0.25;

// A row that a failing cluster might get, at `cost` more squared distance than where it is.
struct Offer {
  double cost = 0;
  uint32_t point = 0, cluster = 0;
  auto operator<=>(const Offer& other) const = default;
};

// The nearest of some clusters, by their means as they are when it is made; of equally near ones the first.
class NearestCluster {
 public:
  NearestCluster(const ClusterSet& clusters, std::vector<uint32_t> among)
      : clusters_(clusters), among_(std::move(among)), tree_(MeansOf(clusters, among_)) {}

  /// UINT32_MAX if there is none.
  std::pair<double, uint32_t> Of(uint32_t point) const {
    std::pair best(std::numeric_limits<double>::infinity(), UINT32_MAX);
    if (among_.empty()) return best;
    const auto own = clusters_.points().point(point);
    const std::vector<double> place(own.begin(), own.end());
    tree_.ForNear(
        place.data(), [&] { return best.first; },
        [&](uint32_t leaf) {
          for (const uint32_t i : tree_.points_of(leaf))
            best = std::min(best, {clusters_.Distance(point, among_[i]), among_[i]});
        });
    return best;
  }

 private:
  static Points MeansOf(const ClusterSet& clusters, std::span<const uint32_t> among) {
    Points means(among.size(), clusters.points().features);
    for (size_t i = 0; i < among.size(); ++i)
      std::copy_n(clusters.mean(among[i]), means.features, means.point(i).begin());
    return means;
  }

  const ClusterSet& clusters_;
  std::vector<uint32_t> among_;
  LaneTree tree_;
};

class Repair {
 public:
  explicit Repair(ClusterSet& clusters)
      : clusters_(clusters),
        tree_(clusters.points()),
        used_(clusters.points().count, 0),
        budget_(clusters.count(), 0.0) {
    const std::vector<uint32_t> failing = clusters.Failing();
    const NearestCluster nearest(clusters, clusters.Holding());
    clusters.problem().workers.For(
        failing.size(), [&](size_t f) { budget_[failing[f]] = kHelpAtMost * DissolvingCost(failing[f], nearest); });
  }

  // Cheapest first: rows with wanted values go to failing clusters if their own cluster can spare them. A row moves once at
  // most, so there is an end.
  uint64_t MoveRows() {
    uint64_t moved = 0;
    for (bool progress = true; progress;) {
      progress = false;
      std::priority_queue<Offer, std::vector<Offer>, std::greater<>> queue;
      for (const Offer& offer : FindOffers(true)) queue.push(offer);
      for (; !queue.empty(); queue.pop()) {
        const Offer offer = queue.top();
        const uint32_t from = clusters_.cluster_of(offer.point);
        if (used_[offer.point] != 0 || clusters_.holds(offer.cluster) || !clusters_.holds(from)) continue;
        if (!StillWanted(offer) || !Affordable(offer.cluster, offer.cost)) continue;
        if (!clusters_.WouldHold(from, offer.point, ClusterSet::kNoPoint)) continue;
        clusters_.Move(offer.point, offer.cluster);
        used_[offer.point] = 1;
        budget_[offer.cluster] -= offer.cost;
        ++moved;
        progress = true;
      }
      clusters_.UpdateMeans();
    }
    return moved;
  }

  // A row that its cluster can't spare is exchanged for a row of the failing cluster whose values that one has twice.
  uint64_t SwapRows() {
    uint64_t swapped = 0;
    std::vector<Offer> offers = FindOffers(false);
    std::sort(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) { return b > a; });
    for (const Offer& offer : offers) {
      const uint32_t from = clusters_.cluster_of(offer.point);
      if (used_[offer.point] != 0 || clusters_.holds(offer.cluster) || !clusters_.holds(from)) continue;
      if (!StillWanted(offer)) continue;
      const uint32_t back = CheapestToGive(offer.cluster, from);
      if (back == ClusterSet::kNoPoint || !clusters_.WouldHold(from, offer.point, back)) continue;
      const double cost = offer.cost + clusters_.Distance(back, from) - clusters_.Distance(back, offer.cluster);
      if (!Affordable(offer.cluster, cost)) continue;
      budget_[offer.cluster] -= cost;
      clusters_.Move(offer.point, offer.cluster);
      clusters_.Move(back, from);
      used_[offer.point] = used_[back] = 1;
      ++swapped;
    }
    clusters_.UpdateMeans();
    return swapped;
  }

  // Sends each row of the clusters that still fail to the nearest cluster that holds and goes on holding with it. A row that
  // no cluster can take stays, and its cluster goes on failing.
  uint64_t Dissolve() {
    const std::vector<uint32_t> failing = clusters_.Failing(), holding = clusters_.Holding();
    if (holding.empty()) return 0;
    const NearestCluster nearest(clusters_, holding);
    uint64_t dissolved = 0;
    for (const uint32_t cluster : failing) {
      clusters_.problem().workers.Poll();
      const std::vector<uint32_t> members = clusters_.members(cluster);
      for (const uint32_t point : members) SendAway(point, holding, nearest);
      dissolved += clusters_.empty(cluster) ? 1 : 0;
    }
    clusters_.UpdateMeans();
    return dissolved;
  }

 private:
  // How much squared distance dissolving a cluster would add now.
  double DissolvingCost(uint32_t cluster, const NearestCluster& holding) const {
    double sum = 0;
    for (const uint32_t point : clusters_.members(cluster))
      sum += holding.Of(point).first - clusters_.Distance(point, cluster);
    return sum;
  }
  bool Affordable(uint32_t cluster, double cost) const { return cost <= budget_[cluster]; }

  bool StillWanted(const Offer& offer) const {
    const WantedValues wanted(clusters_.problem().checker, clusters_.Count(offer.cluster));
    return wanted.Wants(clusters_.problem(), clusters_.row(offer.point));
  }

  // For every failing cluster the nearest rows with values it wants, from clusters that hold; with `spare` only rows that
  // their clusters can do without.
  std::vector<Offer> FindOffers(bool spare) {
    const std::vector<uint32_t> failing = clusters_.Failing();
    const std::vector<uint8_t> offered = FindOffered(spare);
    std::vector<WantedValues> wanted;
    for (const uint32_t cluster : failing) {
      wanted.emplace_back(clusters_.problem().checker, clusters_.Count(cluster));
    }
    std::vector<std::vector<Offer>> offers(failing.size());
    clusters_.problem().workers.For(failing.size(), [&](size_t f) {
      offers[f] = NearestWanted(failing[f], wanted[f], offered);
      for (Offer& offer : offers[f]) offer.cost -= clusters_.Distance(offer.point, clusters_.cluster_of(offer.point));
    });
    std::vector<Offer> all;
    for (const auto& near : offers) all.insert(all.end(), near.begin(), near.end());
    return all;
  }

  // The points that are offered and wanted, the nearest kNearestWanted to a cluster, nearest first; costs are distances.
  std::vector<Offer> NearestWanted(uint32_t cluster, const WantedValues& wanted,
                                   const std::vector<uint8_t>& offered) const {
    std::priority_queue<Offer, std::vector<Offer>, std::less<>> near;  // the farthest on top
    const auto farthest = [&] {
      return near.size() < kNearestWanted ? std::numeric_limits<double>::infinity() : near.top().cost;
    };
    tree_.ForNear(clusters_.mean(cluster), farthest, [&](uint32_t leaf) {
      for (const uint32_t point : tree_.points_of(leaf)) {
        if (offered[point] == 0) continue;
        const Offer offer{clusters_.Distance(point, cluster), point, cluster};
        if (near.size() == kNearestWanted && !(offer < near.top())) continue;
        if (!wanted.Wants(clusters_.problem(), clusters_.row(point))) continue;
        if (near.size() == kNearestWanted) near.pop();
        near.push(offer);
      }
    });
    std::vector<Offer> nearest;
    for (; !near.empty(); near.pop()) nearest.push_back(near.top());
    std::ranges::reverse(nearest);
    return nearest;
  }

  // Which points may leave: not used yet, from a cluster that holds, which with `spare` holds without them too. Points with
  // equal signatures get the same answer, so each cluster is asked once per signature.
  std::vector<uint8_t> FindOffered(bool spare) const {
    std::vector<uint8_t> offered(clusters_.points().count, 0);
    for (const uint32_t cluster : clusters_.Holding()) {
      std::map<uint32_t, bool> answer;
      for (const uint32_t point : clusters_.members(cluster)) {
        if (used_[point] != 0) continue;
        const auto [known, fresh] = answer.try_emplace(clusters_.signature(point), true);
        if (fresh && spare) known->second = clusters_.WouldHold(cluster, point, ClusterSet::kNoPoint);
        offered[point] = known->second ? 1 : 0;
      }
    }
    return offered;
  }

  // The unused point of `cluster` whose sensitive values occur there twice and which costs least to give to `to`. Where shares of
  // values count, one of a value that the cluster has too much of.
  uint32_t CheapestToGive(uint32_t cluster, uint32_t to) const {
    std::map<uint32_t, uint32_t> seen;
    for (const uint32_t point : clusters_.members(cluster)) ++seen[clusters_.signature(point)];
    const bool shares = !clusters_.problem().checker.requirement().more.empty();
    const WantedValues wanted(clusters_.problem().checker, clusters_.Count(cluster));
    uint32_t best = ClusterSet::kNoPoint;
    double least = 0;
    for (const uint32_t point : clusters_.members(cluster)) {
      if (used_[point] != 0 || seen[clusters_.signature(point)] < 2) continue;
      if (shares && wanted.Wants(clusters_.problem(), clusters_.row(point))) continue;
      const double cost = clusters_.Distance(point, to) - clusters_.Distance(point, cluster);
      if (best != ClusterSet::kNoPoint && (cost > least || (cost == least && point > best))) continue;
      best = point;
      least = cost;
    }
    return best;
  }

  void SendAway(uint32_t point, const std::vector<uint32_t>& holding, const NearestCluster& nearest) {
    // More rows never hurt where different values are counted, so the nearest will do; elsewhere it has to be asked.
    if (clusters_.problem().checker.distinct_l() > 0) return clusters_.Move(point, nearest.Of(point).second);
    std::vector<std::pair<double, uint32_t>> near;
    near.reserve(holding.size());
    for (const uint32_t cluster : holding) near.emplace_back(clusters_.Distance(point, cluster), cluster);
    std::sort(near.begin(), near.end());
    for (const auto& [distance, cluster] : near) {
      if (!clusters_.WouldHold(cluster, ClusterSet::kNoPoint, point)) continue;
      clusters_.Move(point, cluster);
      return;
    }
  }

  ClusterSet& clusters_;
  LaneTree tree_;  // of the points
  std::vector<uint8_t> used_;
  std::vector<double> budget_;  // of each failing cluster: what may still be spent on helping it
};

// Fewest different sensitive values (in the column with the fewest).
uint32_t Variety(const ClusterSet& clusters, uint32_t cluster) {
  uint32_t fewest = UINT32_MAX;
  for (const ValueCounts& counts : clusters.Count(cluster).columns) fewest = std::min(fewest, counts.Distinct());
  return fewest;
}

// How unlike all rows a cluster is: the largest share, over the sensitive columns, of members who would need another value for it to be
// distributed as all rows are. 0 where no requirement compares distributions.
class Excess {
 public:
  explicit Excess(const ClusterSet& clusters) : clusters_(clusters) {
    const Checker& checker = clusters.problem().checker;
    if (!ComparesDistributions(checker.requirement())) return;
    all_ = checker.EmptyTally();
    for (uint32_t cluster = 0; cluster < clusters.count(); ++cluster) all_->Merge(clusters.Count(cluster));
  }
  double Of(uint32_t cluster) const {
    double largest = 0;
    const Checker& checker = clusters_.problem().checker;
    for (size_t s = 0; all_ && s < checker.sensitive().size(); ++s) {
      if (!checker.sensitive()[s].is_sensitive()) continue;
      const ValueCounts& counts = clusters_.Count(cluster).columns[s];
      double members = 0, total = 0, over = 0;
      for (const Code value : counts.present()) members += counts.count(value);
      for (const Code value : all_->columns[s].present()) total += all_->columns[s].count(value);
      for (const Code value : counts.present()) {
        over += std::max(0.0, total * counts.count(value) - members * all_->columns[s].count(value));
      }
      largest = std::max(largest, over / (members * total));
    }
    return largest;
  }

 private:
  const ClusterSet& clusters_;
  std::optional<Tally> all_;
};

// The paper's repair: as long as a cluster fails, the one with the fewest values (then the smallest, then the first) joins the
// cluster with the nearest mean; equally near ones: more values, then the first. Ends with one cluster at the latest. Where distributions
// are compared, the cluster that is most unlike all rows goes first: those that need least may be helped by then.
uint64_t MergeFailing(ClusterSet& clusters) {
  using Key = std::tuple<double, uint32_t, size_t, uint32_t>;  // likeness, values, rows, cluster
  std::set<Key> failing;
  const Excess excess(clusters);
  std::vector<uint32_t> variety(clusters.count(), 0);
  std::vector<double> unlike(clusters.count(), 0);
  const auto key = [&](uint32_t cluster) {
    return Key{-unlike[cluster], variety[cluster], clusters.members(cluster).size(), cluster};
  };
  const auto learn = [&](uint32_t cluster) {
    variety[cluster] = Variety(clusters, cluster);
    unlike[cluster] = excess.Of(cluster);
  };
  for (uint32_t cluster = 0; cluster < clusters.count(); ++cluster) {
    if (!clusters.empty(cluster)) learn(cluster);
  }
  for (const uint32_t cluster : clusters.Failing()) failing.insert(key(cluster));
  uint64_t merged = 0;
  while (!failing.empty()) {
    clusters.problem().workers.Poll();
    const uint32_t cluster = std::get<3>(*failing.begin());
    uint32_t nearest = cluster;
    double least = 0;
    for (uint32_t other = 0; other < clusters.count(); ++other) {
      if (other == cluster || clusters.empty(other)) continue;
      double distance = 0;
      for (size_t f = 0; f < clusters.points().features; ++f) {
        const double difference = clusters.mean(cluster)[f] - clusters.mean(other)[f];
        distance += difference * difference;
      }
      if (nearest != cluster && (distance > least || (distance == least && variety[other] <= variety[nearest])))
        continue;
      nearest = other;
      least = distance;
    }
    TADA_ASSERT(nearest != cluster);  // one cluster alone holds every row, and those meet the requirement
    failing.erase(key(cluster));
    failing.erase(key(nearest));
    clusters.Merge(cluster, nearest);
    learn(nearest);
    if (!clusters.holds(nearest)) failing.insert(key(nearest));
    ++merged;
  }
  return merged;
}

}  // namespace

RepairCounts RepairClusters(ClusterSet& clusters, RepairKind kind) {
  RepairCounts counts;
  counts.failing = clusters.Failing().size();
  if (counts.failing == 0) return counts;
  if (kind == RepairKind::kMove) {
    Repair repair(clusters);
    counts.moved = repair.MoveRows();
    counts.swapped = repair.SwapRows();
    counts.dissolved = repair.Dissolve();
  }
  counts.merged = MergeFailing(clusters);
  return counts;
}

}  // namespace tada
