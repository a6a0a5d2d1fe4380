#include "partition/full_domain/topdown.h"

#include <algorithm>
#include <mutex>

#include "base/fault.h"
#include "base/random.h"
#include "partition/full_domain/full_domain.h"

namespace tada {
namespace {

constexpr int kSeedRounds = 3;  // passes that look for a row farther away; the paper takes a few

// The smaller side of a cut has at least one in this many rows. In the paper it has what falls to it, or k rows: around an
// outlier that is a handful, and cutting a table off by handfuls takes the square of its rows.
constexpr size_t kLeastShare = 8;

// The problem laid out for distances: plain codes row by row, and what every node of a hierarchy loses.
struct Prepared {
  Prepared(const Problem& given, RowId of_all)
      : problem(given), first_row(of_all), width(given.num_quasi()), losses(width) {
    codes.resize(given.table.num_rows() * width);
    for (size_t i = 0; i < width; ++i) {
      given.quasi(i).codes().Visit([&](auto from) {
        for (size_t row = 0; row < from.size(); ++row) codes[row * width + i] = from[row];
      });
      const Hierarchy* hierarchy = given.hierarchy(i);
      for (uint32_t level = 0; hierarchy != nullptr && level < hierarchy->num_levels(); ++level) {
        std::vector<double>& of_level = losses[i].emplace_back();
        for (Code node = 0; node < hierarchy->num_nodes(level); ++node)
          of_level.push_back(given.importance(i) * NodeLoss(given.quasi(i), *hierarchy, level, node));
      }
    }
  }
  const Code* row(RowId id) const { return &codes[id * width]; }

  const Problem& problem;
  RowId first_row;  // of the controller: what it draws does not depend on others' rows
  size_t width;
  std::vector<Code> codes;
  std::vector<std::vector<std::vector<double>>> losses;  // by column, level, node
};

// What a set of rows spans in every column, and what it would span with one row more.
class Hull {
 public:
  Hull(const Prepared& prepared, RowId first)
      : prepared_(prepared), problem_(prepared.problem), columns_(prepared.width) {
    const Code* codes = prepared.row(first);
    for (size_t i = 0; i < columns_.size(); ++i) {
      columns_[i].low = columns_[i].high = codes[i];
      columns_[i].values = 1;
      if (!IsSet(i)) continue;
      columns_[i].seen.resize(problem_.quasi(i).num_codes(), false);
      columns_[i].seen[codes[i]] = true;
    }
  }

  /// How much wider the hull gets by a row, summed over the columns.
  double Growth(RowId row) const {
    const Code* codes = prepared_.row(row);
    double growth = 0;
    for (size_t i = 0; i < columns_.size(); ++i) growth += LossWith(i, codes[i]) - columns_[i].loss;
    return growth;
  }

  void Add(RowId row) {
    const Code* codes = prepared_.row(row);
    for (size_t i = 0; i < columns_.size(); ++i) {
      ColumnHull& hull = columns_[i];
      hull.loss = LossWith(i, codes[i]);
      if (const Hierarchy* hierarchy = problem_.hierarchy(i)) hull.level = CommonLevel(*hierarchy, hull, codes[i]);
      if (IsSet(i) && !hull.seen[codes[i]]) {
        hull.seen[codes[i]] = true;
        ++hull.values;
      }
      hull.low = std::min(hull.low, codes[i]);
      hull.high = std::max(hull.high, codes[i]);
    }
  }

 private:
  struct ColumnHull {
    Code low = 0, high = 0;
    uint32_t level = 0;   // of the lowest node above all rows, with a hierarchy
    uint32_t values = 0;  // different ones, of a set
    std::vector<bool> seen;
    double loss = 0;
  };

  bool IsSet(size_t i) const { return problem_.hierarchy(i) == nullptr && !problem_.quasi(i).is_numeric(); }

  static uint32_t CommonLevel(const Hierarchy& hierarchy, const ColumnHull& hull, Code code) {
    uint32_t level = hull.level;
    while (hierarchy.node(level, code) != hierarchy.node(level, hull.low)) ++level;
    return level;
  }

  double LossWith(size_t i, Code code) const {
    const ColumnHull& hull = columns_[i];
    if (const Hierarchy* hierarchy = problem_.hierarchy(i)) {
      const uint32_t level = CommonLevel(*hierarchy, hull, code);
      return prepared_.losses[i][level][hierarchy->node(level, code)];
    }
    if (!IsSet(i)) {
      if (code >= hull.low && code <= hull.high) return hull.loss;
      return NormalizedSpan(problem_, i, std::min(hull.low, code), std::max(hull.high, code));
    }
    const uint32_t values = hull.values + (hull.seen[code] ? 0 : 1);
    const Code domain = problem_.domains[i].num_values;
    return domain > 1 ? problem_.importance(i) * static_cast<double>(values - 1) / static_cast<double>(domain - 1) : 0;
  }

  const Prepared& prepared_;
  const Problem& problem_;
  std::vector<ColumnHull> columns_;
};

using Rows = std::vector<RowId>;

RowId Farthest(const Prepared& prepared, const Rows& rows, RowId from) {
  const Hull hull(prepared, from);
  RowId farthest = rows[0];
  double most = -1;
  for (const RowId row : rows) {
    const double distance = hull.Growth(row);
    if (distance > most) most = distance, farthest = row;
  }
  return farthest;
}

// Fills a side that falls short, of the requirement or of `least` rows, with the rows of the other that widen it least; false
// if the other would fall short then.
bool FillUp(const Prepared& prepared, size_t least, Rows& poor, Rows& rich) {
  const Checker& checker = prepared.problem.checker;
  if (TADA_FAULT("topdown-fill")) return true;
  if (poor.size() >= least && checker.Holds(poor)) return checker.Holds(rich);
  Hull hull(prepared, poor[0]);
  for (const RowId row : poor) hull.Add(row);
  std::vector<std::pair<double, size_t>> by_growth;
  for (size_t i = 0; i < rich.size(); ++i) by_growth.emplace_back(hull.Growth(rich[i]), i);
  std::sort(by_growth.begin(), by_growth.end());
  Tally tally = checker.Count(poor);
  std::vector<bool> moved(rich.size(), false);
  for (const auto& [growth, i] : by_growth) {
    if (poor.size() >= least && checker.Holds(tally)) break;
    moved[i] = true;
    checker.Add(rich[i], tally);
    poor.push_back(rich[i]);
  }
  Rows left;
  for (size_t i = 0; i < rich.size(); ++i) {
    if (!moved[i]) left.push_back(rich[i]);
  }
  rich = std::move(left);
  return checker.Holds(tally) && !rich.empty() && checker.Holds(rich);
}

// Cuts rows in two; an empty second side if that cannot be done.
std::pair<Rows, Rows> CutInTwo(const Prepared& prepared, const Rows& rows) {
  const Problem& problem = prepared.problem;
  if (rows.size() < 2 * problem.checker.smallest_group()) return {rows, {}};
  // A node is known by its first row and its size, whatever thread comes to it.
  Random random(MixSeed(MixSeed(problem.seed, rows[0] - prepared.first_row), rows.size()));
  RowId a = rows[random.Below(rows.size())], b = a;
  for (int round = 0; round < kSeedRounds; ++round) {
    a = b;
    b = Farthest(prepared, rows, a);
  }
  Hull left(prepared, a), right(prepared, b);
  if (left.Growth(b) <= 0) return {rows, {}};  // all rows look alike
  Rows first{a}, second{b}, order = rows;
  random.Shuffle(std::span(order));
  for (const RowId row : order) {
    if (row == a || row == b) continue;
    const double grows_left = left.Growth(row), grows_right = right.Growth(row);
    const bool goes_left = grows_left != grows_right ? grows_left < grows_right : first.size() <= second.size();
    (goes_left ? left : right).Add(row);
    (goes_left ? first : second).push_back(row);
  }
  if (first.size() > second.size()) std::swap(first, second);
  Rows poor = first, rich = second;
  if (!FillUp(prepared, rows.size() / kLeastShare, poor, rich)) {
    poor = std::move(first), rich = std::move(second);  // perhaps fewer rows can be spared
    if (!FillUp(prepared, 0, poor, rich)) return {rows, {}};
  }
  first = std::move(poor), second = std::move(rich);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  return {std::move(first), std::move(second)};
}

class TopDownStage final : public Stage {
 public:
  std::string_view name() const override { return "topdown"; }
  std::string About(const Problem& /*problem*/) const override {
    return fmt::format(
        "A group is cut in two, again and again, around two people who are far apart; everybody else goes to the side "
        "that widens less, and a side short of the requirement takes in people of the other; {}",
        kCutsThatAreNotMade);
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    if (groups.num_rows() == 0) return groups;
    const Prepared prepared(problem, *std::ranges::min_element(groups.order()));
    std::vector<Rows> open;
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      Rows rows(groups.rows(group).begin(), groups.rows(group).end());
      std::sort(rows.begin(), rows.end());
      open.push_back(std::move(rows));
    }
    problem.progress.Begin(name(), groups.num_rows());
    std::mutex mutex;
    std::vector<Rows> done;
    problem.workers.Drain<Rows>(std::move(open), [&](Rows rows, const std::function<void(Rows)>& push) {
      auto [first, second] = CutInTwo(prepared, rows);
      if (!second.empty()) {
        push(std::move(first));
        push(std::move(second));
        return;
      }
      problem.progress.Advance(rows.size());
      std::lock_guard lock(mutex);
      done.push_back(std::move(rows));
    });
    std::sort(done.begin(), done.end());
    return Groups::FromLists(done);
  }
};

}  // namespace

MethodEntry TopDownMethod() {
  return {.name = "topdown",
          .maturity = Maturity::kExperimental,
          .summary = "Cuts a group in two around two rows far apart, each row to the side that widens less.",
          .page = "docs/algorithms/rules.md",
          .tasks = {},
          .options = {},
          .make = [](const MethodContext&) -> Result<std::vector<std::unique_ptr<Stage>>> {
            std::vector<std::unique_ptr<Stage>> stages;
            stages.push_back(std::make_unique<TopDownStage>());
            return stages;
          },
          .row_order = &ByPosition,
          .by_quasi_alone = &Always};
}

}  // namespace tada
