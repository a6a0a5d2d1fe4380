#include "partition/ta_da/clusters/cell_polish.h"

#include <algorithm>
#include <map>

#include "base/words.h"
#include "learn/neighbours/nearest.h"
#include "partition/ta_da/clusters/cell_extent.h"

namespace tada {
namespace {

constexpr size_t kGroupsTried = 8;   // of each row: the nearest ones
constexpr double kWidthShare = 0.5;  // what all of the width counts beside all of the error, as they are at first
constexpr double kLeastGain = 1e-7;  // of squared distance between standardized points; below it is rounding
constexpr size_t kRowsPerPoll = 256;
constexpr std::string_view kForClusters = "clusters";

// Of a group. The squares of the rows are left out of the error, as their sum never changes: the sum of (x - m)^2 over n rows is
// their squares + m (n m - 2 sum).
struct Cost {
  double error = 0, width = 0;
  Cost operator+(const Cost& other) const { return {error + other.error, width + other.width}; }
  Cost operator-(const Cost& other) const { return {error - other.error, width - other.width}; }
};

class Polish {
 public:
  explicit Polish(ClusterSet& groups)
      : groups_(groups),
        points_(groups.points()),
        features_(points_.features),
        per_span_(features_, 0.0),
        extents_(groups.count() * features_),
        cost_(groups.count()),
        changed_(groups.count(), 0) {
    CellExtent all;
    for (size_t f = 0; f < features_; ++f, all = {}) {
      for (size_t i = 0; i < points_.count; ++i) all.Add(points_.point(i)[f]);
      if (all.high > all.low) per_span_[f] = 1.0 / (static_cast<double>(all.high) - all.low);
    }
    for (uint32_t group = 0; group < groups.count(); ++group) Learn(group);
    const Cost total = Total();
    most_width_ = width_ = total.width;
    price_ = total.width > 0 ? kWidthShare * total.error / total.width : 0;
    Points means(groups.count(), features_);
    for (uint32_t group = 0; group < groups.count(); ++group)
      std::copy_n(groups.mean(group), features_, means.point(group).begin());
    nearest_ = FindNearest(points_, Lanes(means), kGroupsTried, groups.problem().workers);
  }

  // Error, squares included, and width of all rows.
  Cost Total() const {
    Cost total;
    for (const Cost& cost : cost_) total = total + cost;
    for (const float x : points_.values) total.error += static_cast<double>(x) * x;
    return total;
  }

  // One look at every row; false if nothing could be done.
  bool Round(PolishCounts& counts) {
    ++round_;
    const uint64_t before = counts.moves + counts.swaps;
    for (uint32_t i = 0; i < points_.count; ++i) {
      if (i % kRowsPerPoll == 0) groups_.problem().workers.Poll();
      if (TryMove(i)) {
        ++counts.moves;
      } else if (TrySwap(i)) {
        ++counts.swaps;
      }
    }
    return counts.moves + counts.swaps > before;
  }

 private:
  void Learn(uint32_t group) {
    CellExtent* const extents = extents_.data() + group * features_;
    std::fill_n(extents, features_, CellExtent{});
    for (const uint32_t member : groups_.members(group)) {
      for (size_t f = 0; f < features_; ++f) extents[f].Add(points_.point(member)[f]);
    }
    cost_[group] = CostOf(group, nullptr, nullptr);
  }

  // What a group costs without one of its rows and with another one; either may be none.
  Cost CostOf(uint32_t group, const float* without, const float* with) const {
    const CellExtent* const extents = extents_.data() + group * features_;
    const double rows =
        static_cast<double>(groups_.members(group).size()) - (without != nullptr ? 1 : 0) + (with != nullptr ? 1 : 0);
    Cost cost;
    for (size_t f = 0; f < features_; ++f) {
      const CellExtent::Changed now =
          extents[f].Without(without == nullptr ? nullptr : without + f, with == nullptr ? nullptr : with + f);
      const double middle = now.middle();
      cost.error += middle * (rows * middle - 2 * now.sum);
      cost.width += rows * (static_cast<double>(now.high) - now.low) * per_span_[f];
    }
    return cost;
  }

  // Whether a step that changes the costs like this is better than `best`, and leaves the cells in all no wider than they were.
  bool Better(const Cost& change, double best) const {
    return Weigh(change) < best && (change.width <= 0 || width_ + change.width <= most_width_);
  }
  double Weigh(const Cost& change) const { return change.error + price_ * change.width; }

  // A row goes to the group where that lowers the costs most, if its own can spare it.
  bool TryMove(uint32_t i) {
    const uint32_t from = groups_.cluster_of(i);
    if (groups_.members(from).size() <= groups_.problem().checker.smallest_group()) return false;
    const float* const point = points_.point(i).data();
    const Cost left = CostOf(from, point, nullptr) - cost_[from];
    double least = -kLeastGain;
    uint32_t best = from;
    for (const uint32_t to : nearest_.ids_of(i)) {
      if (to == from || BothOld(from, to)) continue;
      const Cost change = left + CostOf(to, nullptr, point) - cost_[to];
      if (!Better(change, least) || !groups_.WouldHold(to, ClusterSet::kNoPoint, i)) continue;
      least = Weigh(change);
      best = to;
    }
    if (best == from || !groups_.WouldHold(from, i, ClusterSet::kNoPoint)) return false;
    groups_.Move(i, best);
    Change(from, best);
    return true;
  }

  // A row that widens its group's cell changes places with the row of another group where that lowers the costs most.
  bool TrySwap(uint32_t i) {
    const uint32_t from = groups_.cluster_of(i);
    if (!Widens(i)) return false;
    const float* const point = points_.point(i).data();
    double least = -kLeastGain;
    uint32_t best = i;
    for (const uint32_t to : nearest_.ids_of(i)) {
      if (to == from || BothOld(from, to)) continue;
      std::map<uint32_t, bool> holds;  // by the signature of the row that comes in the place of i
      for (const uint32_t other : groups_.members(to)) {
        const float* const there = points_.point(other).data();
        const Cost change = CostOf(from, point, there) + CostOf(to, there, point) - cost_[from] - cost_[to];
        if (!Better(change, least)) continue;
        const auto [known, fresh] = holds.try_emplace(groups_.signature(other), false);
        if (fresh) known->second = groups_.WouldHold(from, i, other) && groups_.WouldHold(to, other, i);
        if (!known->second) continue;
        least = Weigh(change);
        best = other;
      }
    }
    if (best == i) return false;
    const uint32_t to = groups_.cluster_of(best);
    groups_.Move(i, to);
    groups_.Move(best, from);
    Change(from, to);
    return true;
  }

  // Whether the cell of a row's group would be narrower without it.
  bool Widens(uint32_t i) const {
    const CellExtent* const extents = extents_.data() + groups_.cluster_of(i) * features_;
    for (size_t f = 0; f < features_; ++f) {
      const float x = points_.point(i)[f];
      if (x < extents[f].second_low || x > extents[f].second_high) return true;
    }
    return false;
  }

  // A group is old if nothing has happened to it since the last look at everything: then two of them have nothing to try.
  bool BothOld(uint32_t a, uint32_t b) const { return changed_[a] + 1 < round_ && changed_[b] + 1 < round_; }
  void Change(uint32_t a, uint32_t b) {
    for (const uint32_t group : {a, b}) {
      width_ -= cost_[group].width;
      Learn(group);
      width_ += cost_[group].width;
      changed_[group] = round_;
    }
  }

  ClusterSet& groups_;
  const Points& points_;
  size_t features_;
  std::vector<double> per_span_;     // one divided by the span of each feature
  std::vector<CellExtent> extents_;  // group by group
  std::vector<Cost> cost_;
  double price_ = 0;                   // of width, in error
  double width_ = 0, most_width_ = 0;  // of all rows: now, and at first
  std::vector<uint32_t> changed_;      // the round in which a group last changed
  uint32_t round_ = 0;
  NearestLists nearest_;  // groups by their means, as they were at first
};

NoteSection Describe(const PolishCounts& counts, size_t rows) {
  const auto per_row = [&](double sum) { return sum / static_cast<double>(rows); };
  const auto fact = [&](double sum) { return RoundToDigits(per_row(sum), 6); };
  const auto cell = [&](double sum) { return fmt::format("{:.4g}", per_row(sum)); };
  DataTable table{.header = {"", "before", "after"}, .right = {false, true, true}};
  table.rows.push_back(
      {"squared distance of a row to the middle of its cell", cell(counts.error_before), cell(counts.error_after)});
  table.rows.push_back({"width of the cell of a row", cell(counts.width_before), cell(counts.width_after)});
  return {.key = "polish",
          .title = "Rows that changed groups after Mondrian",
          .facts = FactMap()
                       .Add("moves", counts.moves)
                       .Add("swaps", counts.swaps)
                       .Add("error_before", fact(counts.error_before))
                       .Add("error_after", fact(counts.error_after))
                       .Add("width_before", fact(counts.width_before))
                       .Add("width_after", fact(counts.width_after)),
          .blocks = {{std::move(table)}, {fmt::format("{} rows moved, {} pairs swapped.", counts.moves, counts.swaps)}},
          .raw = true};
}

class PolishStage final : public Stage {
 public:
  explicit PolishStage(PolishOptions options) : options_(options) {}
  std::string_view name() const override { return "polish"; }
  std::string About(const Problem& /*problem*/) const override {
    return fmt::format(
        "Then people change groups, looked at up to {}, where that brings the middle of what is released nearer to "
        "them and both groups go on meeting the requirement; groups that have grown are cut once more.",
        Plural(options_.rounds, "time"));
  }

  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    if (groups.num_groups() < 2) return groups;
    TADA_TRY(first, PolishOnce(problem, groups));
    TADA_TRY(split, MakeMondrianStage(options_.mondrian)->Refine(problem, std::move(groups)));
    groups = std::move(split);
    TADA_TRY(second, PolishOnce(problem, groups));
    second.moves += first.moves;
    second.swaps += first.swaps;
    second.error_before = first.error_before;
    second.width_before = first.width_before;
    problem.notes.sections.push_back(Describe(second, groups.num_rows()));
    return groups;
  }

 private:
  Result<PolishCounts> PolishOnce(const Problem& problem, Groups& groups) const {
    TADA_TRY(points, EncodeRows(problem.table, problem.roles.quasi, groups.order(), options_.encoding,
                                problem.hierarchies, problem.importances));
    std::vector<uint32_t> group_of(groups.num_rows());
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      std::fill_n(group_of.begin() + groups.spans()[group].begin, groups.spans()[group].size(), group);
    }
    ClusterSet set(problem, groups.order(), points, std::move(group_of), groups.num_groups());
    const PolishCounts counts = PolishCells(set, options_.rounds);
    groups = Groups::FromLists(set.AsLists());
    return counts;
  }

  PolishOptions options_;
};

}  // namespace

PolishCounts PolishCells(ClusterSet& groups, uint32_t max_rounds) {
  Polish polish(groups);
  PolishCounts counts;
  counts.error_before = polish.Total().error;
  counts.width_before = polish.Total().width;
  groups.problem().progress.Begin("polish", max_rounds);
  for (uint32_t round = 0; round < max_rounds && polish.Round(counts); ++round) groups.problem().progress.Advance(1);
  counts.error_after = polish.Total().error;
  counts.width_after = polish.Total().width;
  return counts;
}

std::unique_ptr<Stage> MakePolishStage(PolishOptions options) { return std::make_unique<PolishStage>(options); }

OptionSpec PolishOptionSpec() {
  return {.name = "polish",
          .type = OptionType::kInteger,
          .value_name = "rounds",
          .default_text = DefaultText(PolishOptions{}.rounds),
          .minimum = 0,
          .maximum = 1000,
          .choices = {kForClusters},
          .section = "Clusters (task clustering)",
          .help =
              "After Mondrian, make this many passes that move rows to groups whose cells are nearer; 0 for the "
              "paper's way, \"clusters\" for further passes that keep the clusters of k-means apart."};
}

uint32_t PolishRoundsFrom(const OptionValues& values) {
  return static_cast<uint32_t>(values.Integer("polish", PolishOptions{}.rounds));
}

bool PolishesForClusters(const OptionValues& values) { return values.Text("polish") == kForClusters; }

}  // namespace tada
