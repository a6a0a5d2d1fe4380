#include "partition/ta_da/clusters/cluster_polish.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "learn/neighbours/nearest.h"
#include "partition/ta_da/clusters/cell_extent.h"
#include "partition/ta_da/clusters/cluster_views.h"

namespace tada {
namespace {

constexpr uint32_t kRounds = 2;            // looks at every row
constexpr size_t kNearGroupsTried = 6;     // of each row: the nearest ones
constexpr size_t kPartnersTried = 3;       // of each of those, where only a swap is possible
constexpr double kErrorShare = 0.2;        // what a squared distance to the middle of the cell counts
constexpr double kLeastPolishGain = 1e-7;  // below it is rounding
constexpr size_t kPolishRowsPerPoll = 256;
constexpr uint64_t kPolishSeed = 0xc1b0;

class ClusterPolish {
 public:
  ClusterPolish(ClusterSet& groups, const Points& kept)
      : groups_(groups),
        points_(groups.points()),
        features_(points_.features),
        views_(groups.problem(), points_, kept),
        extents_(groups.count() * features_),
        cost_(groups.count()),
        random_(MixSeed(groups.problem().seed, kPolishSeed)) {
    for (uint32_t group = 0; group < groups.count(); ++group) Learn(group);
    for (const float x : points_.values) squares_ += static_cast<double>(x) * x;
  }

  double Total() const { return std::accumulate(cost_.begin(), cost_.end(), kErrorShare * squares_); }

  void Round(ClusterPolishCounts& counts) {
    groups_.UpdateMeans();
    Points means(groups_.count(), features_);
    for (uint32_t group = 0; group < groups_.count(); ++group) {
      std::copy_n(groups_.mean(group), features_, means.point(group).begin());
    }
    nearest_ = FindNearest(points_, Lanes(means), kNearGroupsTried, groups_.problem().workers);
    std::vector<uint32_t> order(points_.count);
    std::iota(order.begin(), order.end(), 0U);
    random_.Shuffle(std::span(order));
    for (size_t at = 0; at < order.size(); ++at) {
      if (at % kPolishRowsPerPoll == 0) groups_.problem().workers.Poll();
      const uint32_t row = order[at], from = groups_.cluster_of(row);
      const bool spared = groups_.members(from).size() > groups_.problem().checker.smallest_group() &&
                          groups_.WouldHold(from, row, ClusterSet::kNoPoint);
      if (spared) {
        counts.moves += TryMove(row) ? 1 : 0;
      } else {
        counts.swaps += TrySwap(row) ? 1 : 0;
      }
    }
  }

 private:
  void Learn(uint32_t group) {
    CellExtent* const extents = extents_.data() + group * features_;
    std::fill_n(extents, features_, CellExtent{});
    for (const uint32_t member : groups_.members(group)) {
      for (size_t f = 0; f < features_; ++f) extents[f].Add(points_.point(member)[f]);
    }
    cost_[group] = CostOf(group, ClusterSet::kNoPoint, ClusterSet::kNoPoint);
  }

  // What a group costs without one of its rows and with another one. The squares of the rows are left out of the error: their sum over
  // all groups never changes.
  double CostOf(uint32_t group, uint32_t without, uint32_t with) {
    const auto feature = [&](uint32_t row, size_t f) {
      return row == ClusterSet::kNoPoint ? nullptr : points_.point(row).data() + f;
    };
    rows_.clear();
    for (const uint32_t member : groups_.members(group)) {
      if (member != without) rows_.push_back(member);
    }
    if (with != ClusterSet::kNoPoint) rows_.push_back(with);
    middle_.resize(features_);
    double error = 0;
    for (size_t f = 0; f < features_; ++f) {
      const auto now = extents_[group * features_ + f].Without(feature(without, f), feature(with, f));
      middle_[f] = now.middle();
      error += middle_[f] * (static_cast<double>(rows_.size()) * middle_[f] - 2 * now.sum);
    }
    views_.Look(middle_, nearness_);
    return kErrorShare * error + views_.Doubt(nearness_, rows_);
  }

  // Pre: its group can spare the row.
  bool TryMove(uint32_t row) {
    const uint32_t from = groups_.cluster_of(row);
    const double left = CostOf(from, row, ClusterSet::kNoPoint) - cost_[from];
    double least = -kLeastPolishGain;
    uint32_t best = from;
    for (const uint32_t to : nearest_.ids_of(row)) {
      if (to == from) continue;
      const double change = left + CostOf(to, ClusterSet::kNoPoint, row) - cost_[to];
      if (change >= least || !groups_.WouldHold(to, ClusterSet::kNoPoint, row)) continue;
      least = change;
      best = to;
    }
    if (best == from) return false;
    groups_.Move(row, best);
    Learn(from);
    Learn(best);
    return true;
  }

  bool TrySwap(uint32_t row) {
    const uint32_t from = groups_.cluster_of(row);
    double least = -kLeastPolishGain;
    uint32_t best = row;
    for (const uint32_t to : nearest_.ids_of(row)) {
      if (to == from) continue;
      const std::vector<uint32_t>& members = groups_.members(to);
      for (size_t tried = 0; tried < std::min(kPartnersTried, members.size()); ++tried) {
        const uint32_t other = members[random_.Below(members.size())];
        const double change = CostOf(from, row, other) + CostOf(to, other, row) - cost_[from] - cost_[to];
        if (change >= least || !groups_.WouldHold(from, row, other) || !groups_.WouldHold(to, other, row)) continue;
        least = change;
        best = other;
      }
    }
    if (best == row) return false;
    const uint32_t to = groups_.cluster_of(best);
    groups_.Move(row, to);
    groups_.Move(best, from);
    Learn(from);
    Learn(to);
    return true;
  }

  ClusterSet& groups_;
  const Points& points_;
  size_t features_;
  ClusterViews views_;
  std::vector<CellExtent> extents_;  // group by group
  std::vector<double> cost_;
  double squares_ = 0;  // of all rows
  Random random_;
  NearestLists nearest_;  // groups by their means, as they were when the round began
  std::vector<uint32_t> rows_;
  std::vector<double> middle_;
  ClusterViews::Nearness nearness_;
};

class ClusterPolishStage final : public Stage {
 public:
  explicit ClusterPolishStage(NameEncoding encoding) : encoding_(encoding) {}
  std::string_view name() const override { return "clusters"; }
  std::string About(const Problem& /*problem*/) const override {
    return "At last people change groups where the clusters of the raw rows, of which several numbers are tried, can "
           "be "
           "told better from what is released, as long as both groups go on meeting the requirement.";
  }

  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    if (groups.num_groups() < 2) return groups;
    TADA_TRY(points, EncodeRows(problem.table, problem.roles.quasi, groups.order(), encoding_, problem.hierarchies,
                                problem.importances));
    Points kept(points.count, 0);
    if (!problem.roles.keep.empty()) {
      TADA_TRY(encoded, EncodeRows(problem.table, problem.roles.keep, groups.order(), encoding_));
      kept = std::move(encoded);
    }
    std::vector<uint32_t> group_of(groups.num_rows());
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      std::fill_n(group_of.begin() + groups.spans()[group].begin, groups.spans()[group].size(), group);
    }
    ClusterSet set(problem, groups.order(), points, std::move(group_of), groups.num_groups());
    const ClusterPolishCounts counts = PolishForClusters(set, kept);
    const auto per_row = [&](double sum) { return RoundToDigits(sum / static_cast<double>(points.count), 6); };
    problem.notes.sections.push_back(
        {.key = "polish_clusters",
         .title = "Rows that changed groups for the clusters",
         .facts = FactMap()
                      .Add("moves", counts.moves)
                      .Add("swaps", counts.swaps)
                      .Add("cost_before", per_row(counts.cost_before))
                      .Add("cost_after", per_row(counts.cost_after)),
         .blocks = {{fmt::format("{} rows moved, {} pairs swapped.", counts.moves, counts.swaps)}},
         .raw = true});
    return Groups::FromLists(set.AsLists());
  }

 private:
  NameEncoding encoding_;
};

}  // namespace

ClusterPolishCounts PolishForClusters(ClusterSet& groups, const Points& kept) {
  ClusterPolish polish(groups, kept);
  ClusterPolishCounts counts;
  counts.cost_before = polish.Total();
  groups.problem().progress.Begin("clusters", kRounds);
  for (uint32_t round = 0; round < kRounds; ++round) {
    polish.Round(counts);
    groups.problem().progress.Advance(1);
  }
  counts.cost_after = polish.Total();
  return counts;
}

std::unique_ptr<Stage> MakeClusterPolishStage(NameEncoding encoding) {
  return std::make_unique<ClusterPolishStage>(encoding);
}

}  // namespace tada
