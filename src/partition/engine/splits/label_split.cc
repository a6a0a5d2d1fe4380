#include "partition/engine/splits/label_split.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "learn/features/entropy.h"

namespace tada {
namespace {

constexpr size_t kMostForSubsets = 9;  // values; that makes 255 subsets

// Where each value lies along the direction in which the class probabilities of the values differ most: the first
// principal component, by power iteration from a fixed start. With two classes this is the order of the label rate, and
// the best subset is a prefix of it (Breiman); with more it is the order of Coppersmith, Hong and Hosking.
std::vector<double> PrincipalOrder(const ValueTable& table, const LabelView& label) {
  const size_t num_values = table.size();
  const Code num_classes = label.num_values;
  std::vector<double> mean(num_classes, 0), direction(num_classes), next(num_classes), score(num_values);
  double rows = 0;
  for (size_t v = 0; v < num_values; ++v) rows += table.rows(v);
  for (size_t v = 0; v < num_values; ++v) {
    table.ForEachClass(label, 0, v, [&](Code c, uint32_t count) { mean[c] += count / rows; });
  }
  double mean_length = 0;
  for (const double m : mean) mean_length += m * m;
  for (Code c = 0; c < num_classes; ++c) direction[c] = (mean[c] - mean_length) * (c % 2 == 0 ? 1.0 : -1.0) + 1e-3 * c;
  const auto project = [&] {
    double mean_score = 0;
    for (Code c = 0; c < num_classes; ++c) mean_score += mean[c] * direction[c];
    for (size_t v = 0; v < num_values; ++v) {
      score[v] = -mean_score;
      table.ForEachClass(label, 0, v, [&](Code c, uint32_t count) {
        score[v] += count / static_cast<double>(table.rows(v)) * direction[c];
      });
    }
  };
  for (int round = 0; round < 12; ++round) {
    project();
    std::fill(next.begin(), next.end(), 0.0);
    double total = 0;
    for (size_t v = 0; v < num_values; ++v) {
      total += table.rows(v) * score[v];
      table.ForEachClass(label, 0, v, [&](Code c, uint32_t count) { next[c] += count * score[v]; });
    }
    for (Code c = 0; c < num_classes; ++c) next[c] -= mean[c] * total;
    const double length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    if (length < 1e-300) break;
    for (Code c = 0; c < num_classes; ++c) direction[c] = next[c] / length;
  }
  project();
  return score;
}

// Label rates of two classes, or mean labels, as exact sort keys.
void RateOrder(const ValueTable& table, const LabelView& label, std::vector<double>& key) {
  key.resize(table.size());
  for (size_t v = 0; v < table.size(); ++v) {
    if (label.numeric()) {
      key[v] = table.sums(0)[v].Mean();
    } else {
      const uint32_t last = table.classes(v)[label.first_class + label.num_values - 1];
      key[v] = static_cast<double>(last) / table.rows(v);
    }
  }
}

// Whether the class of the rows may change between two neighbouring values: not if both hold one and the same class.
bool SameSingleClass(const ValueTable& table, const LabelView& label, size_t a, size_t b) {
  uint32_t classes = 0;
  Code first = 0;
  bool same = true;
  for (const size_t v : {a, b}) {
    table.ForEachClass(label, 0, v, [&](Code c, uint32_t) {
      if (classes++ == 0) first = c;
      same = same && c == first;
    });
  }
  return same;
}

}  // namespace

LabelSplitSearch::LabelSplitSearch(const Problem& problem, std::span<const LabelView> labels)
    : problem_(problem),
      labels_(labels),
      sides_(problem, labels),
      window_(problem),
      tally_(problem.checker.EmptyTally()) {}

double LabelSplitSearch::SplitInfo(uint64_t left, uint64_t right) const {
  const uint64_t rows = left + right;
  return (XLog2X(rows) - XLog2X(left) - XLog2X(right)) / static_cast<double>(rows);
}

std::span<const uint32_t> LabelSplitSearch::ByValue(const ValueTable& table) {
  while (by_value_.size() < table.size()) by_value_.push_back(static_cast<uint32_t>(by_value_.size()));
  return std::span(by_value_).first(table.size());
}

std::span<const uint32_t> LabelSplitSearch::ByLabel(const ValueTable& table) {
  const LabelView& label = labels_[0];
  if (label.numeric() || label.num_values <= 2) {
    RateOrder(table, label, key_);
  } else {
    key_ = PrincipalOrder(table, label);
  }
  return ByKey(table);
}

std::span<const uint32_t> LabelSplitSearch::ByShare(const ValueTable& table, Code of_class) {
  const LabelView& label = labels_[0];
  key_.assign(table.size(), 0.0);
  for (size_t v = 0; v < table.size(); ++v) {
    table.ForEachClass(label, 0, v, [&](Code c, uint32_t count) {
      if (c % label.num_classes() == of_class) key_[v] += count;
    });
    key_[v] /= table.rows(v);
  }
  return ByKey(table);
}

std::span<const uint32_t> LabelSplitSearch::ByKey(const ValueTable& table) {
  by_label_.assign(ByValue(table).begin(), ByValue(table).end());
  std::sort(by_label_.begin(), by_label_.end(),
            [&](uint32_t a, uint32_t b) { return key_[a] != key_[b] ? key_[a] < key_[b] : a < b; });
  return by_label_;
}

template <class Wanted, class Offer>
void LabelSplitSearch::ForPrefixes(const ValueTable& table, std::span<const uint32_t> order,
                                   SplitWindow::Lengths lengths, const Wanted& wanted, const Offer& offer) {
  if (!sides_.two_classes()) {
    for (size_t i = 0; i < lengths.last; ++i) {
      sides_.MoveLeft(table, order[i]);
      if (i + 1 >= lengths.first && wanted(i)) offer(i, sides_.left_rows(), sides_.Impurity());
    }
    return;
  }
  const SplitSides::TwoClasses two = sides_.two();
  two.InTable() ? ForPrefixesOfTwo<true>(table, order, lengths, two, wanted, offer)
                : ForPrefixesOfTwo<false>(table, order, lengths, two, wanted, offer);
}

template <bool in_table, class Wanted, class Offer>
void LabelSplitSearch::ForPrefixesOfTwo(const ValueTable& table, std::span<const uint32_t> order,
                                        SplitWindow::Lengths lengths, const SplitSides::TwoClasses& two,
                                        const Wanted& wanted, const Offer& offer) {
  uint32_t zeros = 0, ones = 0;
  const auto move = [&](size_t i) {
    const uint32_t* const moved = table.classes(order[i]);
    zeros += moved[0];
    ones += moved[1];
  };
  size_t i = 0;
  while (i + 1 < lengths.first) move(i++);
  for (; i < lengths.last; ++i) {
    move(i);
    if (wanted(i)) offer(i, zeros + ones, two.Impurity<in_table>(zeros, ones));
  }
}

std::optional<LabelSplit> LabelSplitSearch::BestCut(const ValueTable& table, uint32_t column, bool boundary_only) {
  if (table.size() < 2) return std::nullopt;
  const SplitWindow::Lengths lengths = window_.Prefixes(table, ByValue(table));
  if (lengths.first > lengths.last) return std::nullopt;
  sides_.Start(table, !window_.exact());
  const double parent = sides_.Impurity();
  const uint64_t rows = sides_.right_rows();
  uint64_t left_rows = 0;  // of the best cut, and the last value on its left
  size_t last = 0;
  double best_gain = 0, best_impurity = std::numeric_limits<double>::infinity();
  ForPrefixes(
      table, ByValue(table), lengths,
      [&](size_t v) {
        return !(boundary_only && !labels_[0].numeric() && SameSingleClass(table, labels_[0], v, v + 1));
      },
      [&](size_t v, uint64_t left, double impurity) {
        if (impurity >= best_impurity) return;  // it gains no more then, and need not be divided
        const double gain = (parent - impurity) / static_cast<double>(rows);
        if ((left_rows > 0 && gain <= best_gain) || !(window_.exact() || sides_.Holds())) return;
        best_gain = gain;
        best_impurity = impurity;
        left_rows = left;
        last = v;
      });
  if (left_rows == 0) return std::nullopt;
  LabelSplit best;
  best.gain = best_gain;
  best.cut = table.code(last + 1);
  best.below = table.code(last);
  best.split_info = SplitInfo(left_rows, rows - left_rows);
  best.column = column;
  best.num_values = static_cast<uint32_t>(table.size());
  return best;
}

std::optional<LabelSplit> LabelSplitSearch::MedianCut(const ValueTable& table, uint32_t column) {
  if (table.size() < 2) return std::nullopt;
  sides_.Start(table);
  const double parent = sides_.Impurity();
  const uint64_t rows = sides_.right_rows();
  for (size_t v = 0; v + 1 < table.size(); ++v) {
    sides_.MoveLeft(table, v);
    // The upper middle row is the first of the right side, or one of the value that moved last.
    if (sides_.left_rows() + table.rows(v + 1) <= rows / 2) continue;
    if (sides_.Holds()) {
      LabelSplit cut;
      cut.column = column;
      cut.gain = (parent - sides_.Impurity()) / static_cast<double>(rows);
      cut.split_info = SplitInfo(sides_.left_rows(), sides_.right_rows());
      cut.cut = table.code(v + 1);
      cut.below = table.code(v);
      cut.num_values = static_cast<uint32_t>(table.size());
      return cut;
    }
    if (sides_.left_rows() > rows / 2) break;
  }
  return std::nullopt;
}

void LabelSplitSearch::SweepPrefixes(const ValueTable& table, std::span<const uint32_t> order, LabelSplit& best) {
  const SplitWindow::Lengths lengths = window_.Prefixes(table, order);
  if (lengths.first > lengths.last) return;
  sides_.StartAgain(table);
  const double parent = sides_.Impurity();
  const uint64_t rows = sides_.right_rows();
  // The best prefix is written out once, since a long column may have thousands of better ones.
  size_t length = 0;
  uint64_t left_rows = 0;
  double best_gain = best.gain, best_impurity = std::numeric_limits<double>::infinity();
  ForPrefixes(
      table, order, lengths, [](size_t) { return true; },
      [&](size_t i, uint64_t left, double impurity) {
        if (impurity >= best_impurity) return;  // it gains no more then
        const double gain = (parent - impurity) / static_cast<double>(rows);
        const bool better = gain > best_gain;
        if (better && !(window_.exact() || sides_.Holds())) return;
        best_impurity = impurity;
        if (!better) return;
        best_gain = gain;
        left_rows = left;
        length = i + 1;
      });
  if (length == 0) return;
  best.gain = best_gain;
  best.split_info = SplitInfo(left_rows, rows - left_rows);
  best.left.clear();
  for (size_t i = 0; i < length; ++i) best.left.push_back(table.code(order[i]));
}

template <bool in_table>
void LabelSplitSearch::SweepSinglesOfTwo(const ValueTable& table, const SplitSides::TwoClasses& two, LabelSplit& best) {
  const double parent = two.Impurity<in_table>(0, 0);
  const uint64_t smallest = problem_.checker.smallest_group(), rows = uint64_t{two.zeros} + two.ones;
  double best_impurity = std::numeric_limits<double>::infinity();
  bool started = false;  // few come so far that it is worth it
  for (size_t v = 0; v < table.size(); ++v) {
    const uint64_t left = table.rows(v);
    if (left < smallest || rows - left < smallest) continue;
    const double impurity = two.Impurity<in_table>(table.classes(v)[0], table.classes(v)[1]);
    if (impurity >= best_impurity) continue;  // it gains no more then
    const double gain = (parent - impurity) / static_cast<double>(rows);
    const bool better = gain > best.gain;
    if (better && !std::exchange(started, true)) window_.StartSingles(table);
    if (better && !window_.SingleHolds(table, v)) continue;
    best_impurity = impurity;
    if (!better) continue;
    best.gain = gain;
    best.split_info = SplitInfo(left, rows - left);
    best.left.assign(1, table.code(v));
  }
}

void LabelSplitSearch::SweepSingles(const ValueTable& table, LabelSplit& best) {
  sides_.StartAgain(table);
  if (sides_.two_classes() && window_.exact()) {
    const SplitSides::TwoClasses two = sides_.two();
    return two.InTable() ? SweepSinglesOfTwo<true>(table, two, best) : SweepSinglesOfTwo<false>(table, two, best);
  }
  window_.StartSingles(table);
  const double parent = sides_.Impurity();
  const auto rows = static_cast<double>(sides_.right_rows());
  for (uint32_t v = 0; v < table.size(); ++v) {
    sides_.MoveLeft(table, v);
    if (sides_.LargeEnough()) {
      const double gain = (parent - sides_.Impurity()) / rows;
      if (gain > best.gain && (window_.exact() ? window_.SingleHolds(table, v) : sides_.Holds())) {
        best.gain = gain;
        best.split_info = SplitInfo(sides_.left_rows(), sides_.right_rows());
        best.left.assign(1, table.code(v));
      }
    }
    sides_.MoveRight(table, v);
  }
}

// In the order of a Gray code, one value moves at a time. The last value stays on the right: the other half are the same subsets.
void LabelSplitSearch::SweepSubsets(const ValueTable& table, LabelSplit& best) {
  sides_.Start(table);
  const double parent = sides_.Impurity();
  const auto rows = static_cast<double>(sides_.right_rows());
  uint32_t best_subset = 0;
  for (uint32_t i = 1; i < uint32_t{1} << (table.size() - 1); ++i) {
    const uint32_t subset = i ^ (i >> 1);
    const auto moved = static_cast<size_t>(std::countr_zero(i));
    if ((subset >> moved & 1) != 0) {
      sides_.MoveLeft(table, moved);
    } else {
      sides_.MoveRight(table, moved);
    }
    if (!sides_.LargeEnough()) continue;
    const double gain = (parent - sides_.Impurity()) / rows;
    if (gain <= best.gain || !sides_.Holds()) continue;
    best.gain = gain;
    best.split_info = SplitInfo(sides_.left_rows(), sides_.right_rows());
    best_subset = subset;
  }
  for (size_t v = 0; best_subset >> v != 0; ++v) {
    if ((best_subset >> v & 1) != 0) best.left.push_back(table.code(v));
  }
}

std::optional<LabelSplit> LabelSplitSearch::BestSubset(const ValueTable& table, uint32_t column, bool thorough,
                                                       double least) {
  if (table.size() < 2) return std::nullopt;
  LabelSplit best;
  best.gain = least;
  if (thorough && table.size() <= kMostForSubsets) {
    SweepSubsets(table, best);
  } else {
    sides_.Start(table, !window_.exact());
    SweepPrefixes(table, ByValue(table), best);
    SweepPrefixes(table, ByLabel(table), best);
    SweepSingles(table, best);
  }
  const bool shares = thorough && table.size() > kMostForSubsets && labels_[0].few_classes();
  for (Code c = 0; shares && labels_[0].num_values > 2 && c < labels_[0].num_classes(); ++c) {
    SweepPrefixes(table, ByShare(table, c), best);
  }
  if (best.left.empty()) return std::nullopt;
  std::sort(best.left.begin(), best.left.end());
  best.column = column;
  best.num_values = static_cast<uint32_t>(table.size());
  return best;
}

std::optional<LabelSplit> LabelSplitSearch::Multiway(const ValueTable& table, uint32_t column) {
  if (table.size() < 2 || table.size() > UINT16_MAX) return std::nullopt;
  const uint64_t smallest = problem_.checker.smallest_group();
  sides_.Start(table);
  const double parent = sides_.Impurity();
  const auto rows = sides_.right_rows();
  for (size_t v = 0; v < table.size(); ++v) {
    if (table.rows(v) < smallest) return std::nullopt;
  }
  double children = 0, size_logs = 0;
  for (size_t v = 0; v < table.size(); ++v) {
    if (problem_.checker.needs_values()) {
      tally_.Clear();
      tally_.rows = table.rows(v);
      for (size_t s = 0; s < tally_.columns.size(); ++s) {
        table.ForEachSensitive(s, v,
                               [&](Code mark, uint32_t count) { problem_.checker.AddMark(s, mark, tally_, count); });
      }
      if (!problem_.checker.Holds(tally_)) return std::nullopt;
    }
    size_logs += XLog2X(table.rows(v));
    for (size_t t = 0; t < labels_.size(); ++t) {
      if (labels_[t].numeric()) {
        children += labels_[t].scale * table.sums(t)[v].Deviations();
        continue;
      }
      double log_sum = 0;
      table.ForEachClass(labels_[t], t, v, [&](Code, uint32_t count) { log_sum += XLog2X(count); });
      children += labels_[t].scale * (XLog2X(table.rows(v)) - log_sum);
    }
  }
  LabelSplit split;
  split.column = column;
  split.multiway = true;
  split.gain = (parent - children) / static_cast<double>(rows);
  split.split_info = (XLog2X(rows) - size_logs) / static_cast<double>(rows);
  split.num_values = static_cast<uint32_t>(table.size());
  return split;
}

NodeSplit ByValues(const LabelSplit& split, const ValueTable& table) {
  if (split.left.empty() && !split.multiway) return {split.column, 2, split.cut, {}, {}};
  NodeSplit by_values{split.column, split.multiway ? static_cast<uint32_t>(table.size()) : 2, 0, {}, {}};
  by_values.codes.assign(table.codes().begin(), table.codes().end());
  by_values.child_of.assign(table.size(), 1);
  auto left = split.left.begin();
  for (size_t v = 0; v < table.size(); ++v) {
    if (split.multiway) {
      by_values.child_of[v] = static_cast<uint16_t>(v);
    } else if (left != split.left.end() && *left == table.code(v)) {
      by_values.child_of[v] = 0;
      ++left;
    }
  }
  return by_values;
}

uint32_t AssignChildren(const NodeRows& rows, const Node& node, const NodeSplit& split, std::vector<uint16_t>& child) {
  child.resize(node.size());
  if (split.is_cut()) {
    rows.rows.Visit(split.column, node.begin, node.end, [&](auto codes) {
      for (size_t i = 0; i < codes.size(); ++i) child[i] = codes[i] >= split.cut ? 1 : 0;
    });
    return split.num_children;
  }
  // By a table over the codes if they lie dense enough.
  const Code low = split.codes.front();
  const size_t width = split.codes.back() - low + 1;
  const bool dense = width <= 4 * size_t{node.size()} + 1024;
  thread_local std::vector<uint16_t> by_code;  // means something for codes of the node
  if (dense && by_code.size() < width) by_code.resize(width);
  for (size_t v = 0; dense && v < split.codes.size(); ++v) by_code[split.codes[v] - low] = split.child_of[v];
  rows.rows.Visit(split.column, node.begin, node.end, [&](auto codes) {
    for (size_t i = 0; i < codes.size(); ++i) child[i] = dense ? by_code[codes[i] - low] : split.ChildOf(codes[i]);
  });
  return split.num_children;
}

}  // namespace tada
