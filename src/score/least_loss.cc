#include "score/least_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "base/random.h"
#include "learn/neighbours/collapse.h"
#include "learn/neighbours/near_index.h"
#include "table/label.h"

namespace tada {
namespace {

constexpr size_t kMostRows = 50'000;      // beyond that it takes too long for a line of a report
constexpr size_t kRowsForPrices = 1'000;  // prices depend on each other, so they are raised one by one
constexpr uint64_t kMostLooks = 60'000;   // at rows, in one search
constexpr double kEqual = 1e-9;           // sums of spans that differ by less are the same
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The quasi-identifiers of the released rows, by position; nothing if their cells may lose less than spans say.
std::optional<MixedPoints> PointsOf(const Release& release) {
  std::vector<const Column*> numbers, names;
  for (const ReleasedColumn& released : release.columns) {
    if (!released.recoded) continue;
    const Column& column = release.table->column(released.source);
    const bool has_sets =
        std::ranges::any_of(released.cells, [](const Cell& cell) { return cell.form == Cell::Form::kSet; });
    if (!released.leaves.empty() || (column.is_numeric() && has_sets)) return std::nullopt;
    if (column.num_values() > 1) (column.is_numeric() ? numbers : names).push_back(&column);
  }
  MixedPoints points{.num_numbers = static_cast<uint32_t>(numbers.size()),
                     .num_names = static_cast<uint32_t>(names.size())};
  for (const Column* column : names) {
    points.name_steps.push_back(CountShare(2, column->num_values()));
    points.name_values.push_back(column->num_values());
  }
  for (const RowId row : release.row_order) {
    for (const Column* column : numbers) {
      const Code code = column->codes()[row];
      const auto at = [&](Code other) { return column->number(other); };
      points.numbers.push_back(
          column->is_missing(code)
              ? kMissingNumber
              : SpanShare(at(column->num_missing()), at(code), at(column->num_missing()), at(column->num_codes() - 1)));
    }
    for (const Column* column : names) points.names.push_back(column->value_id(column->codes()[row]));
  }
  return points;
}

// What cells hold, and which rows may still come into them.
struct Box {
  std::vector<double> low, high;         // by number
  std::vector<std::vector<Code>> names;  // by name
  std::vector<uint32_t> rows;            // those inside too
  double bound = 0;                      // no group in the box and its rows costs less
};

// The next step: the part of a column that a box takes in, or never will.
struct Step {
  enum class Side { kNone, kLow, kHigh, kName } side = Side::kNone;
  uint32_t column = 0;
  double number = 0;
  Code name = 0;
  double weight = 0;  // how much it costs the cheapest rows
};

class GroupSearch {
 public:
  GroupSearch(const MixedPoints& points, uint32_t k) : points_(points), k_(k) {}

  /// The least span of k rows with `row`; `rows` are all that are no farther from it than `at_most`, which some k rows reach.
  double LeastSpan(uint32_t row, std::vector<uint32_t> rows, double at_most) {
    prices_ = {};
    return Search(row, std::move(rows), at_most);
  }
  /// The least that is left of a group's cost for `row` after the prices of its other rows.
  double Remainder(uint32_t row, std::vector<uint32_t> rows, std::span<const double> prices) {
    prices_ = prices;
    return Search(row, std::move(rows), kInfinite);
  }

  /// A group that is narrow, if not the narrowest: `near` and the row, taken in by what they cost.
  double SpanOfSome(uint32_t row, const std::vector<uint32_t>& near) const {
    if (near.size() + 1 < k_) return kInfinite;
    Box box = BoxOf(row);
    std::vector<uint8_t> taken(near.size(), 0);
    for (uint32_t size = 1; size < k_; ++size) {
      size_t best = near.size();
      double least = kInfinite;
      for (size_t i = 0; i < near.size(); ++i) {
        const double span = taken[i] != 0 ? kInfinite : SpanWith(box, near[i]);
        if (span < least) least = span, best = i;
      }
      taken[best] = 1;
      Widen(box, near[best]);
    }
    return SpanWith(box, row);
  }

 private:
  Box BoxOf(uint32_t row) const {
    Box box;
    const double* x = points_.NumbersOf(row);
    box.low.assign(x, x + points_.num_numbers);
    box.high = box.low;
    for (uint32_t j = 0; j < points_.num_names; ++j) box.names.push_back({points_.NamesOf(row)[j]});
    return box;
  }

  static bool Holds(const std::vector<Code>& names, Code name) { return std::ranges::find(names, name) != names.end(); }

  void Widen(Box& box, uint32_t row) const {
    for (uint32_t j = 0; j < points_.num_numbers; ++j) {
      box.low[j] = std::min(box.low[j], points_.NumbersOf(row)[j]);
      box.high[j] = std::max(box.high[j], points_.NumbersOf(row)[j]);
    }
    for (uint32_t j = 0; j < points_.num_names; ++j) {
      if (const Code name = points_.NamesOf(row)[j]; !Holds(box.names[j], name)) box.names[j].push_back(name);
    }
  }

  double SpanWith(const Box& box, uint32_t row) const {
    double sum = 0;
    const double* x = points_.NumbersOf(row);
    for (uint32_t j = 0; j < points_.num_numbers; ++j)
      sum += std::min(1.0, std::max(box.high[j], x[j]) - std::min(box.low[j], x[j]));
    const Code* names = points_.NamesOf(row);
    for (uint32_t j = 0; j < points_.num_names; ++j) {
      const size_t more = Holds(box.names[j], names[j]) ? 0 : 1;
      sum += static_cast<double>(box.names[j].size() - 1 + more) * points_.name_steps[j];
    }
    return sum;
  }

  // What k rows cost of which each adds one of `terms`, and the row `base`; further rows are taken where that is cheaper.
  double CostOf(std::vector<double>& terms, double base) const {
    if (terms.size() + 1 < k_) return kInfinite;
    if (k_ < 2)
      return base + std::accumulate(terms.begin(), terms.end(), 0.0,
                                    [](double sum, double term) { return sum + std::min(0.0, term); });
    const auto needed = terms.begin() + (k_ - 1);
    std::nth_element(terms.begin(), needed - 1, terms.end());
    double cost = base;
    for (auto term = terms.begin(); term != terms.end(); ++term) cost += term < needed ? *term : std::min(0.0, *term);
    return cost;
  }

  // Bounds what groups in the box cost, and notes what the box itself does if its rows are enough for a group.
  void Offer(Box box) {
    const double span = SpanWith(box, row_);
    spans_.clear();
    for (const uint32_t row : box.rows) spans_.push_back(SpanWith(box, row));
    looks_ += box.rows.size();
    if (spans_.size() < k_) return;
    std::vector<double> terms = spans_;
    std::nth_element(terms.begin(), terms.begin() + (k_ - 1), terms.end());
    const double widest = terms[k_ - 1];  // k rows make the box at least this wide
    double whole = kInfinite;             // what a group that is just the box costs
    if (prices_.empty()) {
      if (widest <= span + kEqual) whole = span;
      box.bound = widest;
    } else {
      std::vector<double> inside;
      terms.clear();
      for (size_t i = 0; i < spans_.size(); ++i) {
        if (box.rows[i] == row_) continue;
        const double price = prices_[box.rows[i]];
        terms.push_back(std::max(spans_[i], widest) - price);
        if (spans_[i] <= span + kEqual) inside.push_back(span - price);
      }
      whole = CostOf(inside, span);
      box.bound = CostOf(terms, widest);
    }
    found_ = std::min(found_, whole);
    if (box.bound >= std::min(found_, whole) - kEqual) return;
    boxes_.push_back(std::move(box));
    heap_.emplace_back(-boxes_.back().bound, boxes_.size() - 1);
    std::push_heap(heap_.begin(), heap_.end());
  }

  static void Prefer(const Step& step, Step& best) {
    if (step.weight > best.weight) best = step;
  }

  // The part of a column that costs the given rows most.
  Step StepFor(const Box& box, std::span<const uint32_t> rows) const {
    Step best;
    std::vector<double> beyond;
    for (uint32_t j = 0; j < points_.num_numbers; ++j) {
      for (const bool high : {false, true}) {
        beyond.clear();
        Step step{high ? Step::Side::kHigh : Step::Side::kLow, j};
        for (const uint32_t row : rows) {
          const double x = points_.NumbersOf(row)[j];
          if (high ? x <= box.high[j] : x >= box.low[j]) continue;
          beyond.push_back(x);
          step.weight += std::min(1.0, high ? x - box.high[j] : box.low[j] - x);
        }
        if (beyond.empty()) continue;
        std::nth_element(beyond.begin(), beyond.begin() + static_cast<ptrdiff_t>(beyond.size() / 2), beyond.end());
        step.number = beyond[beyond.size() / 2];
        Prefer(step, best);
      }
    }
    for (uint32_t j = 0; j < points_.num_names; ++j) {
      for (const uint32_t row : rows) {
        Step step{Step::Side::kName, j, 0, points_.NamesOf(row)[j]};
        if (Holds(box.names[j], step.name)) continue;
        for (const uint32_t other : rows)
          step.weight += points_.NamesOf(other)[j] == step.name ? points_.name_steps[j] : 0;
        Prefer(step, best);
      }
    }
    return best;
  }

  // The rows whose cheapest groups decide about the bound.
  std::vector<uint32_t> Deciding(const Box& box) const {
    std::vector<std::pair<double, uint32_t>> costs;
    for (const uint32_t row : box.rows)
      costs.emplace_back(SpanWith(box, row) - (prices_.empty() ? 0.0 : prices_[row]), row);
    const size_t count = std::min<size_t>(costs.size(), size_t{2} * k_);
    std::partial_sort(costs.begin(), costs.begin() + static_cast<ptrdiff_t>(count), costs.end());
    std::vector<uint32_t> rows;
    for (size_t i = 0; i < count; ++i) rows.push_back(costs[i].second);
    return rows;
  }

  void Divide(const Box& box, const Step& step) {
    Box in = box, out = box;
    const uint32_t j = step.column;
    if (step.side == Step::Side::kName) {
      in.names[j].push_back(step.name);
      std::erase_if(out.rows, [&](uint32_t row) { return points_.NamesOf(row)[j] == step.name; });
    } else if (step.side == Step::Side::kHigh) {
      in.high[j] = step.number;
      std::erase_if(out.rows, [&](uint32_t row) { return points_.NumbersOf(row)[j] >= step.number; });
    } else {
      in.low[j] = step.number;
      std::erase_if(out.rows, [&](uint32_t row) { return points_.NumbersOf(row)[j] <= step.number; });
    }
    Offer(std::move(in));
    Offer(std::move(out));
  }

  double Search(uint32_t row, std::vector<uint32_t> rows, double at_most) {
    row_ = row;
    found_ = at_most;
    looks_ = 0;
    boxes_.clear();
    heap_.clear();
    Box start = BoxOf(row);
    start.rows = std::move(rows);
    Offer(std::move(start));
    while (!heap_.empty()) {
      const double bound = -heap_.front().first;
      if (bound >= found_ - kEqual) break;
      if (looks_ > kMostLooks) return bound;
      std::pop_heap(heap_.begin(), heap_.end());
      const Box box = std::move(boxes_[heap_.back().second]);
      heap_.pop_back();
      Step step = StepFor(box, Deciding(box));
      if (step.side == Step::Side::kNone) step = StepFor(box, box.rows);
      if (step.side == Step::Side::kNone) return bound;  // everything is inside
      Divide(box, step);
    }
    return found_;
  }

  const MixedPoints& points_;
  uint32_t k_;
  std::span<const double> prices_;
  uint32_t row_ = 0;
  double found_ = 0;
  uint64_t looks_ = 0;
  std::vector<double> spans_;
  std::vector<Box> boxes_;
  std::vector<std::pair<double, size_t>> heap_;
};

std::vector<uint32_t> AllRows(const MixedPoints& points) {
  std::vector<uint32_t> rows(points.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// By row; equal rows are searched for once.
std::vector<double> LeastSpans(const MixedPoints& points, uint32_t k, const Workers& workers) {
  const Collapsed collapsed = CollapseEqual(
      points.size(),
      [&](size_t i) {
        uint64_t hash = 0;
        for (uint32_t j = 0; j < points.num_names; ++j) hash = MixSeed(hash, points.NamesOf(i)[j]);
        for (uint32_t j = 0; j < points.num_numbers; ++j)
          hash = MixSeed(hash, std::bit_cast<uint64_t>(points.NumbersOf(i)[j]));
        return hash;
      },
      [&](size_t a, size_t b) { return points.Distance(a, b) == 0; });
  const NearIndex index(points, AllRows(points));
  std::vector<double> least(collapsed.first.size(), 0);
  workers.ForBlocks(least.size(), 64, [&](size_t begin, size_t end) {
    GroupSearch search(points, k);
    std::vector<uint32_t> near, within;
    for (size_t i = begin; i < end; ++i) {
      const uint32_t row = collapsed.first[i];
      index.Nearest(row, 2 * k + 16, near);
      const double some = search.SpanOfSome(row, near);
      index.Within(row, some, within);
      least[i] = search.LeastSpan(row, within, some);
    }
  });
  std::vector<double> by_row(points.size());
  for (size_t row = 0; row < by_row.size(); ++row) by_row[row] = least[collapsed.number_of[row]];
  return by_row;
}

void RaisePrices(const MixedPoints& points, uint32_t k, std::vector<double>& prices) {
  std::vector<uint32_t> order = AllRows(points);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return prices[a] > prices[b]; });
  GroupSearch search(points, k);
  for (const uint32_t row : order) {
    prices[row] = std::max(prices[row], search.Remainder(row, AllRows(points), prices) - 2 * kEqual);
  }
}

}  // namespace

std::optional<double> LeastNcp(const Release& release, uint64_t k, const Workers& workers) {
  const size_t rows = release.row_order.size();
  if (rows == 0 || rows > kMostRows || k > rows) return std::nullopt;
  const auto columns = std::ranges::count_if(release.columns, &ReleasedColumn::recoded);
  const auto points = PointsOf(release);
  if (!points || columns == 0) return std::nullopt;
  if (points->size() == 0 || k < 2) return 0.0;
  std::vector<double> prices = LeastSpans(*points, static_cast<uint32_t>(k), workers);
  if (rows <= kRowsForPrices) RaisePrices(*points, static_cast<uint32_t>(k), prices);
  const double sum = std::accumulate(prices.begin(), prices.end(), 0.0);
  return std::max(0.0, sum / static_cast<double>(rows) - kEqual) / static_cast<double>(columns);
}

}  // namespace tada
