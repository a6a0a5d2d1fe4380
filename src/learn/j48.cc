#include "learn/j48.h"

#include <algorithm>
#include <utility>

#include "learn/trees/c45.h"

namespace tada {

class J48Grower {
 public:
  J48Grower(const TreeSamples& samples, std::span<const double> weights, const J48Options& options,
            std::vector<J48Tree::Node>& nodes)
      : samples_(samples),
        weights_(weights),
        criterion_(samples.labels, samples.num_labels, options.min_rows, options.confidence),
        nodes_(nodes),
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
    for (const uint32_t i : members) criterion_.Add(counts, i, weights_[i]);
    const auto most = std::max_element(counts.begin(), counts.end());
    nodes_[id].label = members.empty() ? parent_label : static_cast<uint32_t>(most - counts.begin());
    const double leaf_error = criterion_.LeafCost(counts);
    const TreeSplit split = criterion_.MayDivide(counts) ? Choose(members, counts) : TreeSplit{};
    if (split.column < 0) return {id, leaf_error};
    const double subtree_error = GrowChildren(id, members, split);
    if (criterion_.PrefersLeaf(leaf_error, subtree_error)) {
      nodes_[id].column = -1;
      nodes_[id].children.clear();
      return {id, leaf_error};
    }
    return {id, subtree_error};
  }

  double GrowChildren(uint32_t id, std::vector<uint32_t>& members, const TreeSplit& split) {
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

  TreeSplit Choose(const std::vector<uint32_t>& members, std::span<const double> counts) {
    const double info = InfoOf(counts), total = criterion_.Rows(counts);
    std::vector<TreeSplit> splits;
    for (size_t c = 0; c < samples_.columns.size(); ++c) {
      if (used_[c]) continue;
      const TreeSplit split = samples_.columns[c].numeric ? NumericSplit(members, c, counts, info, total)
                                                          : NominalSplit(members, c, info, total);
      if (split.column >= 0) splits.push_back(split);
    }
    return criterion_.Choose(splits, total);
  }

  TreeSplit NominalSplit(const std::vector<uint32_t>& members, size_t c, double info, double total) {
    const TreeSamples::Column& column = samples_.columns[c];
    const size_t m = samples_.num_labels;
    table_.assign(column.num_codes * m, 0.0);
    for (const uint32_t i : members) table_[column.codes[i] * m + samples_.labels[i]] += weights_[i];
    return criterion_.RateNames(c, table_, info, total);
  }

  TreeSplit NumericSplit(const std::vector<uint32_t>& members, size_t c, std::span<const double> counts, double info,
                         double total) {
    const TreeSamples::Column& column = samples_.columns[c];
    order_ = members;
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return column.codes[a] < column.codes[b]; });
    ThresholdSearch search(criterion_, counts, info, total);
    std::vector<double> here(samples_.num_labels, 0.0);  // of one code
    double rows = 0;
    for (size_t at = 0; at + 1 < order_.size(); ++at) {
      const uint32_t i = order_[at];
      criterion_.Add(here, i, weights_[i]);
      rows += weights_[i];
      if (column.codes[i] == column.codes[order_[at + 1]]) continue;
      search.Pass(here, rows);
      search.Try(c, column.codes[i]);
      std::fill(here.begin(), here.end(), 0.0);
      rows = 0;
    }
    return search.Best();
  }

  const TreeSamples& samples_;
  std::span<const double> weights_;
  C45Criterion criterion_;
  std::vector<J48Tree::Node>& nodes_;
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
