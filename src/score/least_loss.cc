#include "score/least_loss.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>

#include "base/random.h"
#include "learn/neighbours/collapse.h"
#include "learn/neighbours/near_index.h"
#include "table/label.h"

namespace tada {
namespace {

constexpr size_t kMostRows = 50'000;         // beyond that it takes too long for a line of a report
constexpr size_t kRowsForPrices = 1'000;     // prices depend on each other, so they are raised one by one
constexpr uint64_t kMostLooks = 60'000;      // at rows, in one search
constexpr uint64_t kAllLooks = 400'000'000;  // at values of rows, in all searches, which share them evenly: seconds
constexpr double kEqual = 1e-9;              // sums of spans that differ by less are the same
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

// Of how many rows a group is at least, and of how many values in columns of sensitive ones.
struct Wanted {
  uint32_t k = 1, l = 1;
  std::vector<std::vector<Code>> values;  // by column and row

  Wanted WithoutValues() const { return {k, 1, {}}; }
};

class GroupSearch {
 public:
  GroupSearch(const MixedPoints& points, const Wanted& wanted, size_t searches)
      : points_(points),
        wanted_(wanted),
        k_(wanted.k),
        most_looks_(std::min(kMostLooks, kAllLooks / (searches * (points.num_numbers + points.num_names)))) {}

  /// The least span of a group with `row`; `rows` are all that are no farther from it than `at_most`, which some group reaches.
  double LeastSpan(uint32_t row, std::vector<uint32_t> rows, double at_most) {
    prices_ = {};
    return Search(row, std::move(rows), at_most);
  }
  /// The least that is left of a group's cost for `row` after the prices of its other rows.
  double Remainder(uint32_t row, std::vector<uint32_t> rows, std::span<const double> prices) {
    prices_ = prices;
    return Search(row, std::move(rows), kInfinite);
  }

  /// A group that is narrow, if not the narrowest: the row and some of `near`, taken in by what they cost. Infinite if there is none.
  double SpanOfSome(uint32_t row, std::vector<uint32_t> near) const {
    if (near.size() + 1 < k_) return kInfinite;
    Box box = BoxOf(row);
    for (uint32_t size = 1; size < k_; ++size) TakeCheapest(box, near);
    for (const std::vector<Code>& values : wanted_.values) {
      std::vector<Code> held = {values[row]};
      for (const uint32_t other : box.rows) held.push_back(values[other]);
      for (std::vector<uint32_t> others = near; NumDifferent(held) < wanted_.l;
           held.push_back(values[box.rows.back()])) {
        std::erase_if(others, [&](uint32_t other) { return Holds(held, values[other]); });
        if (others.empty()) return kInfinite;
        TakeCheapest(box, others);
      }
    }
    return SpanWith(box, row);
  }

  /// Whether the last search ended before it was sure.
  bool gave_up() const { return gave_up_; }

 private:
  // Moves that one of the rows into the box which costs least there.
  void TakeCheapest(Box& box, std::vector<uint32_t>& rows) const {
    size_t best = 0;
    double least = kInfinite;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (const double span = SpanWith(box, rows[i]); span < least) least = span, best = i;
    }
    Widen(box, rows[best]);
    box.rows.push_back(rows[best]);
    rows.erase(rows.begin() + static_cast<ptrdiff_t>(best));
  }

  static size_t NumDifferent(std::vector<Code> values) {
    std::ranges::sort(values);
    return values.size() - std::ranges::unique(values).size();
  }

  // What one of the rows costs, and which it is.
  struct Term {
    double cost;
    uint32_t row;
  };

  // The cheapest terms of different values, none of them `but`: `count` of them, or as many as there are.
  void FindCheapest(std::span<const Term> terms, const std::vector<Code>& values, size_t count,
                    std::optional<Code> but) {
    cheapest_.clear();
    for (const Term& term : terms) {
      const Code value = values[term.row];
      if (count == 0 || value == but) continue;
      auto at = std::ranges::find_if(cheapest_, [&](const Term& other) { return values[other.row] == value; });
      if (at == cheapest_.end() && cheapest_.size() < count) {
        cheapest_.push_back(term);
        continue;
      }
      if (at == cheapest_.end()) at = std::ranges::max_element(cheapest_, {}, &Term::cost);
      if (term.cost < at->cost) *at = term;
    }
  }

  // How wide the box is at least once it has l values of each sensitive column, by what its rows cost.
  double WidestForValues(std::span<const Term> terms) {
    double widest = 0;
    for (const std::vector<Code>& values : wanted_.values) {
      FindCheapest(terms, values, wanted_.l, {});
      if (cheapest_.size() < wanted_.l) return kInfinite;
      widest = std::max(widest, std::ranges::max(cheapest_, {}, &Term::cost).cost);
    }
    return widest;
  }

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

  // The sum of the cheapest `count` terms, and of further ones that cost less than nothing.
  static double SumOfCheapest(std::vector<Term> terms, size_t count) {
    const auto needed = terms.begin() + static_cast<ptrdiff_t>(count);
    if (count > 0) std::ranges::nth_element(terms, needed - 1, {}, &Term::cost);
    double sum = 0;
    for (auto term = terms.begin(); term != terms.end(); ++term)
      sum += term < needed ? term->cost : std::min(0.0, term->cost);
    return sum;
  }

  // What a group costs at least of which the row adds `base` and each other row one of `terms`. There is a cheapest one that has the
  // cheapest rows of l - 1 other values, those whose cheapest rows cost least: any other rows can be exchanged for them.
  double CostOf(const std::vector<Term>& terms, double base) {
    if (terms.size() + 1 < k_) return kInfinite;
    double cost = base + SumOfCheapest(terms, k_ - 1);
    for (const std::vector<Code>& values : wanted_.values) {
      FindCheapest(terms, values, wanted_.l - 1, values[row_]);
      if (cheapest_.size() + 1 < wanted_.l) return kInfinite;
      double forced = base;
      for (const Term& term : cheapest_) forced += term.cost;
      std::vector<Term> rest;
      std::ranges::copy_if(terms, std::back_inserter(rest), [&](const Term& term) {
        return std::ranges::find(cheapest_, term.row, &Term::row) == cheapest_.end();
      });
      cost = std::max(cost, forced + SumOfCheapest(std::move(rest), k_ - wanted_.l));
    }
    return cost;
  }

  // Bounds what groups in the box cost, and notes what the box itself does if its rows are enough for a group.
  void Offer(Box box) {
    const double span = SpanWith(box, row_);
    std::vector<Term> spans;
    for (const uint32_t row : box.rows) spans.push_back({SpanWith(box, row), row});
    looks_ += box.rows.size();
    if (spans.size() < k_) return;
    std::vector<Term> terms = spans;
    std::ranges::nth_element(terms, terms.begin() + (k_ - 1), {}, &Term::cost);
    const double widest = std::max(terms[k_ - 1].cost, WidestForValues(spans));  // a group makes the box so wide
    if (widest == kInfinite) return;
    double whole = kInfinite;  // what a group that is just the box costs
    if (prices_.empty()) {
      if (widest <= span + kEqual) whole = span;
      box.bound = widest;
    } else {
      std::vector<Term> inside;
      terms.clear();
      for (const auto& [cost, row] : spans) {
        if (row == row_) continue;
        terms.push_back({std::max(cost, widest) - prices_[row], row});
        if (cost <= span + kEqual) inside.push_back({span - prices_[row], row});
      }
      if (widest <= span + kEqual) whole = CostOf(inside, span);
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
    gave_up_ = false;
    boxes_.clear();
    heap_.clear();
    Box start = BoxOf(row);
    start.rows = std::move(rows);
    Offer(std::move(start));
    while (!heap_.empty()) {
      const double bound = -heap_.front().first;
      if (bound >= found_ - kEqual) break;
      if (looks_ > most_looks_) {
        gave_up_ = true;
        return bound;
      }
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
  const Wanted& wanted_;
  uint32_t k_;
  uint64_t most_looks_;
  std::span<const double> prices_;
  uint32_t row_ = 0;
  double found_ = 0;
  uint64_t looks_ = 0;
  bool gave_up_ = false;
  std::vector<Term> cheapest_;
  std::vector<Box> boxes_;
  std::vector<std::pair<double, size_t>> heap_;
};

std::vector<uint32_t> AllRows(const MixedPoints& points) {
  std::vector<uint32_t> rows(points.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// The least span of a row: that by k and l, and where the search for it is given up or finds no group nearby, also that by k.
class LeastSpan {
 public:
  LeastSpan(const MixedPoints& points, const NearIndex& index, const Wanted& wanted, const Wanted& by_rows,
            size_t searches)
      : index_(index),
        k_(wanted.k),
        has_values_(wanted.l > 1),
        all_(points, wanted, searches),
        by_rows_(points, by_rows, searches) {}

  double Of(uint32_t row) {
    const double least = has_values_ ? Search(row, all_, kNearForValues) : 0;
    return has_values_ && !gave_up_ ? least : std::max(least, Search(row, by_rows_, 2 * k_ + 16));
  }

 private:
  static constexpr uint32_t kNearForValues = 64;

  double Search(uint32_t row, GroupSearch& search, uint32_t count) {
    index_.Nearest(row, count, near_);
    const double some = search.SpanOfSome(row, near_);
    gave_up_ = some == kInfinite && &search == &all_;
    if (gave_up_) return 0;
    index_.Within(row, some, within_);
    const double least = search.LeastSpan(row, within_, some);
    gave_up_ = search.gave_up();
    return least;
  }

  const NearIndex& index_;
  uint32_t k_;
  bool has_values_, gave_up_ = false;
  GroupSearch all_, by_rows_;
  std::vector<uint32_t> near_, within_;
};

// By row; equal rows are searched for once.
std::vector<double> LeastSpans(const MixedPoints& points, const Wanted& wanted, const Workers& workers) {
  const Collapsed collapsed = CollapseEqual(
      points.size(),
      [&](size_t i) {
        uint64_t hash = 0;
        for (const auto& values : wanted.values) hash = MixSeed(hash, values[i]);
        for (uint32_t j = 0; j < points.num_names; ++j) hash = MixSeed(hash, points.NamesOf(i)[j]);
        for (uint32_t j = 0; j < points.num_numbers; ++j)
          hash = MixSeed(hash, std::bit_cast<uint64_t>(points.NumbersOf(i)[j]));
        return hash;
      },
      [&](size_t a, size_t b) {
        return points.Distance(a, b) == 0 &&
               std::ranges::all_of(wanted.values, [&](const auto& values) { return values[a] == values[b]; });
      });
  const NearIndex index(points, AllRows(points));
  std::vector<double> least(collapsed.first.size(), 0);
  const Wanted by_rows = wanted.WithoutValues();
  workers.ForBlocks(least.size(), 64, [&](size_t begin, size_t end) {
    LeastSpan search(points, index, wanted, by_rows, least.size());
    for (size_t i = begin; i < end; ++i) least[i] = search.Of(collapsed.first[i]);
  });
  std::vector<double> by_row(points.size());
  for (size_t row = 0; row < by_row.size(); ++row) by_row[row] = least[collapsed.number_of[row]];
  return by_row;
}

void RaisePrices(const MixedPoints& points, const Wanted& wanted, std::vector<double>& prices) {
  std::vector<uint32_t> order = AllRows(points);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return prices[a] > prices[b]; });
  GroupSearch search(points, wanted, points.size());
  for (const uint32_t row : order) {
    prices[row] = std::max(prices[row], search.Remainder(row, AllRows(points), prices) - 2 * kEqual);
  }
}

// Values as they are written: what counts as different is different here too.
Wanted WantedOf(const Release& release, const GroupsHave& asked) {
  Wanted wanted{.k = static_cast<uint32_t>(asked.k), .l = 1};
  if (asked.l < 2) return wanted;
  wanted.l = static_cast<uint32_t>(asked.l);
  wanted.k = std::max(wanted.k, wanted.l);
  for (const ColumnId id : asked.sensitive) {
    std::vector<Code>& values = wanted.values.emplace_back();
    for (const RowId row : release.row_order) values.push_back(release.table->column(id).codes()[row]);
  }
  return wanted;
}

}  // namespace

std::optional<double> LeastNcp(const Release& release, const GroupsHave& asked, const Workers& workers) {
  const size_t rows = release.row_order.size();
  if (rows == 0 || rows > kMostRows || asked.k > rows || asked.l > rows) return std::nullopt;
  const auto columns = std::ranges::count_if(release.columns, &ReleasedColumn::recoded);
  const auto points = PointsOf(release);
  if (!points || columns == 0) return std::nullopt;
  const Wanted wanted = WantedOf(release, asked);
  if (points->size() == 0 || wanted.k < 2) return 0.0;
  std::vector<double> prices = LeastSpans(*points, wanted, workers);
  if (rows <= kRowsForPrices) RaisePrices(*points, wanted, prices);
  const double sum = std::accumulate(prices.begin(), prices.end(), 0.0);
  return std::max(0.0, sum / static_cast<double>(rows) - kEqual) / static_cast<double>(columns);
}

}  // namespace tada
