#include "partition/label_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/entropy.h"

namespace tada {
namespace {

constexpr double kLeastGain = 1e-9;  // below this a gain is rounding

// Where each value lies along the direction in which the class probabilities of the values differ most: the first
// principal component, by power iteration from a fixed start. With two classes this is the order of the label rate, and
// the best subset is a prefix of it (Breiman); with more it is the order of Coppersmith, Hong and Hosking.
std::vector<double> PrincipalOrder(const ValueTable& table, const SparseCounts& counts, Code num_classes) {
  const size_t num_values = table.size();
  std::vector<double> mean(num_classes, 0), direction(num_classes), next(num_classes), score(num_values);
  double rows = 0;
  for (size_t v = 0; v < num_values; ++v) rows += table.rows(v);
  for (size_t i = 0; i < counts.value.size(); ++i) mean[counts.value[i]] += counts.count[i] / rows;
  double mean_length = 0;
  for (const double m : mean) mean_length += m * m;
  for (Code c = 0; c < num_classes; ++c) direction[c] = (mean[c] - mean_length) * (c % 2 == 0 ? 1.0 : -1.0) + 1e-3 * c;
  const auto project = [&] {
    double mean_score = 0;
    for (Code c = 0; c < num_classes; ++c) mean_score += mean[c] * direction[c];
    for (size_t v = 0; v < num_values; ++v) {
      score[v] = -mean_score;
      for (uint32_t i = counts.begin[v]; i < counts.begin[v + 1]; ++i) {
        score[v] += counts.count[i] / static_cast<double>(table.rows(v)) * direction[counts.value[i]];
      }
    }
  };
  for (int round = 0; round < 12; ++round) {
    project();
    std::fill(next.begin(), next.end(), 0.0);
    double total = 0;
    for (size_t v = 0; v < num_values; ++v) {
      total += table.rows(v) * score[v];
      for (uint32_t i = counts.begin[v]; i < counts.begin[v + 1]; ++i)
        next[counts.value[i]] += counts.count[i] * score[v];
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
std::vector<double> RateOrder(const ValueTable& table, size_t t, const LabelView& label) {
  std::vector<double> key(table.size(), 0);
  for (size_t v = 0; v < table.size(); ++v) {
    if (label.numeric()) {
      const LabelSums& sums = table.sums(t)[v];
      key[v] = sums.rows > 0 ? sums.sum / sums.rows : 0;
      continue;
    }
    const SparseCounts& counts = table.label(t);
    for (uint32_t i = counts.begin[v]; i < counts.begin[v + 1]; ++i) {
      if (counts.value[i] + 1 == label.num_values) key[v] = static_cast<double>(counts.count[i]) / table.rows(v);
    }
  }
  return key;
}

// Whether the class of the rows may change between two neighbouring values: not if both hold one and the same class.
bool SameSingleClass(const SparseCounts& counts, size_t a, size_t b) {
  return counts.begin[a + 1] - counts.begin[a] == 1 && counts.begin[b + 1] - counts.begin[b] == 1 &&
         counts.value[counts.begin[a]] == counts.value[counts.begin[b]];
}

}  // namespace

LabelSplitSearch::LabelSplitSearch(const Problem& problem, std::span<const LabelView> labels)
    : problem_(problem), labels_(labels), sides_(problem, labels), tally_(problem.checker.EmptyTally()) {}

double LabelSplitSearch::SplitInfo(uint64_t left, uint64_t right) const {
  const uint64_t rows = left + right;
  return (XLog2X(rows) - XLog2X(left) - XLog2X(right)) / static_cast<double>(rows);
}

std::optional<LabelSplit> LabelSplitSearch::BestCut(const ValueTable& table, uint32_t column, bool boundary_only) {
  if (table.size() < 2) return std::nullopt;
  sides_.Start(table);
  const double parent = sides_.Impurity();
  const auto rows = static_cast<double>(sides_.right_rows());
  LabelSplit best;
  bool found = false;
  for (size_t v = 0; v + 1 < table.size(); ++v) {
    sides_.MoveLeft(table, v);
    if (!sides_.LargeEnough()) continue;
    if (boundary_only && !labels_[0].numeric() && SameSingleClass(table.label(0), v, v + 1)) continue;
    const double gain = (parent - sides_.Impurity()) / rows;
    if ((found && gain <= best.gain) || !sides_.Holds()) continue;
    found = true;
    best.gain = gain;
    best.cut = table.code(v + 1);
    best.below = table.code(v);
    best.split_info = SplitInfo(sides_.left_rows(), sides_.right_rows());
  }
  if (!found) return std::nullopt;
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

void LabelSplitSearch::SweepPrefixes(const ValueTable& table, std::span<const uint32_t> order, double parent,
                                     LabelSplit& best) {
  sides_.Start(table);
  const auto rows = static_cast<double>(sides_.right_rows());
  size_t length =
      0;  // of the best prefix; it is written out once, since a long column may have thousands of better ones
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    sides_.MoveLeft(table, order[i]);
    if (!sides_.LargeEnough()) continue;
    const double gain = (parent - sides_.Impurity()) / rows;
    if (gain <= best.gain || !sides_.Holds()) continue;
    best.gain = gain;
    best.split_info = SplitInfo(sides_.left_rows(), sides_.right_rows());
    length = i + 1;
  }
  if (length == 0) return;
  best.left.clear();
  for (size_t i = 0; i < length; ++i) best.left.push_back(table.code(order[i]));
}

void LabelSplitSearch::SortByLabel(const ValueTable& table, std::vector<uint32_t>& order) {
  const LabelView& label = labels_[0];
  key_ = label.numeric() || label.num_values <= 2 ? RateOrder(table, 0, label)
                                                  : PrincipalOrder(table, table.label(0), label.num_values);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return key_[a] != key_[b] ? key_[a] < key_[b] : a < b; });
}

std::optional<LabelSplit> LabelSplitSearch::BestSubset(const ValueTable& table, uint32_t column) {
  if (table.size() < 2) return std::nullopt;
  sides_.Start(table);
  const double parent = sides_.Impurity();
  const auto rows = static_cast<double>(sides_.right_rows());
  LabelSplit best;
  best.gain = kLeastGain;
  order_.resize(table.size());
  std::iota(order_.begin(), order_.end(), 0u);
  SweepPrefixes(table, order_, parent, best);  // in the order of the values
  SortByLabel(table, order_);
  SweepPrefixes(table, order_, parent, best);  // in the order of the label
  sides_.Start(table);
  for (uint32_t v = 0; v < table.size(); ++v) {  // one value against the rest
    sides_.MoveLeft(table, v);
    if (sides_.LargeEnough()) {
      const double gain = (parent - sides_.Impurity()) / rows;
      if (gain > best.gain && sides_.Holds()) {
        best.gain = gain;
        best.split_info = SplitInfo(sides_.left_rows(), sides_.right_rows());
        best.left.assign(1, table.code(v));
      }
    }
    sides_.MoveRight(table, v);
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
        const SparseCounts& counts = table.sensitive(s);
        for (uint32_t i = counts.begin[v]; i < counts.begin[v + 1]; ++i)
          tally_.columns[s].Add(counts.value[i], counts.count[i]);
      }
      if (!problem_.checker.Holds(tally_)) return std::nullopt;
    }
    size_logs += XLog2X(table.rows(v));
    for (size_t t = 0; t < labels_.size(); ++t) {
      if (labels_[t].numeric()) {
        const LabelSums& sums = table.sums(t)[v];
        if (sums.rows > 0) children += labels_[t].scale * std::max(0.0, sums.squares - sums.sum * sums.sum / sums.rows);
        continue;
      }
      const SparseCounts& counts = table.label(t);
      double log_sum = 0;
      for (uint32_t i = counts.begin[v]; i < counts.begin[v + 1]; ++i) log_sum += XLog2X(counts.count[i]);
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

uint32_t AssignChildren(const NodeRows& rows, const Node& node, const LabelSplit& split, const ValueTable& table,
                        std::vector<uint16_t>& child) {
  child.resize(node.size());
  const bool subset = !split.left.empty();
  if (!subset && !split.multiway) {
    rows.rows.Visit(split.column, node.begin, node.end, [&](auto codes) {
      for (size_t i = 0; i < codes.size(); ++i) child[i] = codes[i] >= split.cut ? 1 : 0;
    });
    return 2;
  }
  // Which child each value goes to, by its place in the value table; a value's place by table if the codes lie dense enough.
  std::vector<uint16_t> child_of(table.size(), 1);
  for (size_t v = 0; v < table.size(); ++v) {
    if (subset) {
      child_of[v] = std::binary_search(split.left.begin(), split.left.end(), table.code(v)) ? 0 : 1;
    } else {
      child_of[v] = static_cast<uint16_t>(v);
    }
  }
  const Code low = table.code(0);
  const size_t width = table.code(table.size() - 1) - low + 1;
  const bool dense = width <= 4 * size_t{node.size()} + 1024;
  std::vector<uint16_t> by_code(dense ? width : 0);
  for (size_t v = 0; dense && v < table.size(); ++v) by_code[table.code(v) - low] = child_of[v];
  rows.rows.Visit(split.column, node.begin, node.end, [&](auto codes) {
    for (size_t i = 0; i < codes.size(); ++i)
      child[i] = dense ? by_code[codes[i] - low] : child_of[table.Find(codes[i])];
  });
  return subset ? 2 : static_cast<uint32_t>(table.size());
}

}  // namespace tada
