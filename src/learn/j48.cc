#include "learn/j48.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/c45.h"

namespace tada {
namespace {

struct Split {
  int32_t column = -1;
  uint32_t threshold = 0;
  double gain = 0, ratio = 0;
};

}  // namespace

class J48Grower {
 public:
  J48Grower(const TreeSamples& samples, std::span<const double> weights, const J48Options& options,
            std::vector<J48Tree::Node>& nodes)
      : samples_(samples),
        weights_(weights),
        options_(options),
        nodes_(nodes),
        z_(NormalQuantile(options.confidence)),
        used_(samples.columns.size(), false) {}

  void Run() {
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < samples_.size(); ++i) {
      if (weights_[i] > 0) all.push_back(i);
    }
    Grow(all, 0);
  }

 private:
  // Grows the subtree of some samples and returns its node and its pessimistic error.
  std::pair<uint32_t, double> Grow(std::vector<uint32_t>& members, uint32_t parent_label) {
    const auto id = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
    std::vector<double> counts(samples_.num_labels, 0.0);
    double total = 0;
    for (const uint32_t i : members) {
      counts[samples_.labels[i]] += weights_[i];
      total += weights_[i];
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    nodes_[id].label = total > 0 ? static_cast<uint32_t>(most - counts.begin()) : parent_label;
    const double errors = total - (total > 0 ? *most : 0);
    const double leaf_error = errors + AddedErrors(total, errors, options_.confidence, z_);
    const Split split = errors > 0 && total >= 2 * options_.min_rows ? Choose(members, counts, total) : Split{};
    if (split.column < 0) return {id, leaf_error};
    const double subtree_error = GrowChildren(id, members, split);
    if (leaf_error <= subtree_error + 0.1) {  // C4.5 prefers the leaf on a near tie
      nodes_[id].column = -1;
      nodes_[id].children.clear();
      return {id, leaf_error};
    }
    return {id, subtree_error};
  }

  double GrowChildren(uint32_t id, std::vector<uint32_t>& members, const Split& split) {
    const TreeSamples::Column& column = samples_.columns[static_cast<size_t>(split.column)];
    const uint32_t branches = column.numeric ? 2 : column.num_codes;
    std::vector<std::vector<uint32_t>> parts(branches);
    for (const uint32_t i : members)
      parts[column.numeric ? (column.codes[i] > split.threshold ? 1 : 0) : column.codes[i]].push_back(i);
    members = {};
    if (!column.numeric) used_[static_cast<size_t>(split.column)] = true;
    nodes_[id].column = split.column;
    nodes_[id].threshold = split.threshold;
    std::vector<uint32_t> children(branches, 0);
    double error = 0;
    for (uint32_t b = 0; b < branches; ++b) {
      if (parts[b].empty()) continue;
      const auto [child, child_error] = Grow(parts[b], nodes_[id].label);
      children[b] = child;
      error += child_error;
    }
    nodes_[id].children = std::move(children);
    if (!column.numeric) used_[static_cast<size_t>(split.column)] = false;
    return error;
  }

  // The column with the best gain ratio among those whose gain is at least the average.
  Split Choose(const std::vector<uint32_t>& members, const std::vector<double>& counts, double total) {
    const double info = InfoOf(counts);
    std::vector<Split> splits;
    double gains = 0, averaged = 0;
    for (size_t c = 0; c < samples_.columns.size(); ++c) {
      if (used_[c]) continue;
      Split split =
          samples_.columns[c].numeric ? NumericSplit(members, c, info, total) : NominalSplit(members, c, info, total);
      if (split.column < 0) continue;
      if (samples_.columns[c].numeric ||
          samples_.columns[c].num_codes < 0.3 * total) {  // as J48: no columns of many values
        gains += split.gain;
        averaged += 1;
      }
      splits.push_back(split);
    }
    const double average = averaged > 0 ? gains / averaged : 0;
    Split best;
    for (const Split& split : splits) {
      if (split.gain >= average - 1e-3 && split.gain > 0 && split.ratio > best.ratio) best = split;
    }
    return best;
  }

  Split NominalSplit(const std::vector<uint32_t>& members, size_t c, double info, double total) {
    const TreeSamples::Column& column = samples_.columns[c];
    const size_t m = samples_.num_labels;
    table_.assign(column.num_codes * m, 0.0);
    for (const uint32_t i : members) table_[column.codes[i] * m + samples_.labels[i]] += weights_[i];
    double left = 0, split_info = XLogX(total);
    uint32_t large = 0;
    for (size_t code = 0; code < column.num_codes; ++code) {
      const std::span<const double> of_code(&table_[code * m], m);
      const double rows = std::accumulate(of_code.begin(), of_code.end(), 0.0);
      if (rows <= 0) continue;
      left += InfoOf(of_code);
      split_info -= XLogX(rows);
      large += rows >= options_.min_rows ? 1 : 0;
    }
    if (large < 2 || split_info <= 0) return {};
    return {static_cast<int32_t>(c), 0, (info - left) / total, (info - left) / split_info};
  }

  Split NumericSplit(const std::vector<uint32_t>& members, size_t c, double info, double total) {
    const TreeSamples::Column& column = samples_.columns[c];
    const size_t m = samples_.num_labels;
    order_ = members;
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return column.codes[a] < column.codes[b]; });
    const double least =
        std::clamp(0.1 * total / static_cast<double>(m), options_.min_rows, std::max(options_.min_rows, 25.0));
    std::vector<double> below(m, 0.0), above(m, 0.0);
    for (const uint32_t i : members) above[samples_.labels[i]] += weights_[i];
    Split best;
    double rows = 0, best_rows = 0;
    uint32_t cuts = 0;
    for (size_t at = 0; at + 1 < order_.size(); ++at) {
      const uint32_t i = order_[at];
      below[samples_.labels[i]] += weights_[i];
      above[samples_.labels[i]] -= weights_[i];
      rows += weights_[i];
      if (column.codes[i] == column.codes[order_[at + 1]]) continue;
      ++cuts;
      if (rows < least || total - rows < least) continue;
      const double gain = (info - InfoOf(below) - InfoOf(above)) / total;
      if (best.column < 0 || gain > best.gain) {
        best = {static_cast<int32_t>(c), column.codes[i], gain, 0};
        best_rows = rows;
      }
    }
    if (best.column < 0) return {};
    best.gain -= std::log2(static_cast<double>(cuts)) / total;  // what it costs to say which threshold (Quinlan 1996)
    if (best.gain <= 0) return {};
    best.ratio = best.gain * total / (XLogX(total) - XLogX(best_rows) - XLogX(total - best_rows));
    return best;
  }

  const TreeSamples& samples_;
  std::span<const double> weights_;
  const J48Options& options_;
  std::vector<J48Tree::Node>& nodes_;
  double z_;
  std::vector<bool> used_;  // nominal columns on the way to here
  std::vector<double> table_;
  std::vector<uint32_t> order_;
};

J48Tree::J48Tree(const TreeSamples& samples, std::span<const double> weights, const J48Options& options) {
  J48Grower(samples, weights, options, nodes_).Run();
}

uint32_t J48Tree::Predict(const TreeSamples& samples, size_t sample) const {
  uint32_t at = 0;
  while (nodes_[at].column >= 0) {
    const TreeSamples::Column& column = samples.columns[static_cast<size_t>(nodes_[at].column)];
    const uint32_t code = column.codes[sample];
    const uint32_t next = nodes_[at].children[column.numeric ? (code > nodes_[at].threshold ? 1 : 0) : code];
    if (next == 0) break;  // no training sample had this value: the node's own label
    at = next;
  }
  return nodes_[at].label;
}

size_t J48Tree::num_leaves() const {
  size_t leaves = 0;
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    leaves += node.column < 0 ? 1 : 0;
    for (const uint32_t child : node.children) {
      if (child != 0) open.push_back(child);
    }
  }
  return leaves;
}

double CrossValidateTree(const TreeSamples& samples, std::span<const uint32_t> weights, uint32_t num_folds,
                         const J48Options& options) {
  std::vector<double> totals(samples.size(), 0.0), training(samples.size());
  double rows = 0, right = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (uint32_t fold = 0; fold < num_folds; ++fold) totals[i] += weights[i * num_folds + fold];
    rows += totals[i];
  }
  for (uint32_t fold = 0; fold < num_folds; ++fold) {
    for (size_t i = 0; i < samples.size(); ++i) training[i] = totals[i] - weights[i * num_folds + fold];
    const J48Tree tree(samples, training, options);
    for (size_t i = 0; i < samples.size(); ++i) {
      const uint32_t held_out = weights[i * num_folds + fold];
      if (held_out > 0 && tree.Predict(samples, i) == samples.labels[i]) right += held_out;
    }
  }
  return rows > 0 ? right / rows : 0;
}

}  // namespace tada
