#include "partition/ta_da/tree_record.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tada {
namespace {

// Upper bound for the number of errors beyond the observed ones, as C4.5 adds them (Quinlan, `stats.c`).
double AddedErrors(double rows, double errors, double confidence) {
  if (errors < 1e-6) return rows * (1 - std::exp(std::log(confidence) / rows));
  if (errors < 0.9999) {
    const double none = rows * (1 - std::exp(std::log(confidence) / rows));
    return none + errors * (AddedErrors(rows, 1.0, confidence) - none);
  }
  if (errors + 0.5 >= rows) return 0.67 * (rows - errors);
  // The normal deviate that leaves `confidence` in its upper tail, by interpolation as C4.5 does.
  constexpr double kTail[] = {0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00};
  constexpr double kDeviate[] = {4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00};
  size_t i = 1;
  while (confidence > kTail[i]) ++i;
  const double deviate =
      kDeviate[i - 1] + (kDeviate[i] - kDeviate[i - 1]) * (confidence - kTail[i - 1]) / (kTail[i] - kTail[i - 1]);
  const double coefficient = deviate * deviate, raised = errors + 0.5;
  const double bound =
      (raised + coefficient / 2 + std::sqrt(coefficient * (raised * (1 - raised / rows) + coefficient / 4))) /
      (rows + coefficient);
  return rows * bound - errors;
}

double LeafErrors(const TreeNode& node, double confidence) {
  const double rows = node.size();
  uint32_t most = 0;
  for (const auto& [value, count] : node.label_counts) most = std::max(most, count);
  const double errors = rows - most;
  return errors + AddedErrors(rows, errors, confidence);
}

}  // namespace

TreeRecord::TreeRecord(const Groups& groups) {
  for (const Groups::Span& span : groups.spans()) {
    roots_.push_back(static_cast<uint32_t>(nodes_.size()));
    nodes_.push_back({.begin = span.begin, .end = span.end});
  }
}

uint32_t TreeRecord::Split(const Node& node, LabelSplit split, std::vector<Code> child_values,
                           std::span<const Node> children) {
  std::lock_guard lock(mutex_);
  const auto first = static_cast<uint32_t>(nodes_.size());
  for (const Node& child : children) {
    nodes_[node.id].children.push_back(static_cast<uint32_t>(nodes_.size()));
    nodes_.push_back({.begin = child.begin, .end = child.end, .depth = child.depth});
  }
  nodes_[node.id].split = std::move(split);
  nodes_[node.id].child_values = std::move(child_values);
  return first;
}

void TreeRecord::Finish(const Problem& problem, const Groups& leaves) {
  // Breadth first from the roots; children follow in their order, whoever recorded them first.
  std::vector<TreeNode> ordered;
  ordered.reserve(nodes_.size());
  for (uint32_t& root : roots_) {
    ordered.push_back(std::move(nodes_[root]));
    root = static_cast<uint32_t>(ordered.size() - 1);
  }
  for (size_t at = 0; at < ordered.size(); ++at) {
    for (size_t c = 0; c < ordered[at].children.size(); ++c) {
      ordered.push_back(std::move(nodes_[ordered[at].children[c]]));
      ordered[at].children[c] = static_cast<uint32_t>(ordered.size() - 1);
    }
  }
  nodes_ = std::move(ordered);

  CountLabels(problem, leaves);
}

void TreeRecord::CountLabels(const Problem& problem, const Groups& leaves) {
  const Column& label = problem.table.column(problem.roles.label[0]);
  const bool numeric = label.is_numeric() && problem.task == Task::kRegression;
  std::vector<uint32_t> counts(numeric ? 0 : label.num_values(), 0);
  std::vector<Code> present;
  const auto add = [&](Code value, uint32_t count) {
    if (counts[value] == 0) present.push_back(value);
    counts[value] += count;
  };
  for (size_t at = nodes_.size(); at-- > 0;) {  // children stand behind their parents
    TreeNode& node = nodes_[at];
    for (uint32_t i = node.begin; node.children.empty() && i < node.end; ++i) {
      const Code code = label.codes()[leaves.order()[i]];
      if (!numeric) add(label.value_id(code), 1);
      if (numeric && !label.is_missing(code)) node.label_mean += label.number(code) / node.size();
    }
    for (const uint32_t child : node.children) {
      node.label_mean += nodes_[child].label_mean * nodes_[child].size() / node.size();
      for (const auto& [value, count] : nodes_[child].label_counts) add(value, count);
    }
    std::sort(present.begin(), present.end());
    for (const Code value : present) node.label_counts.emplace_back(value, std::exchange(counts[value], 0));
    present.clear();
  }
}

void TreeRecord::Prune(double confidence) {
  if (nodes_.empty() || nodes_[0].label_counts.empty()) return;
  std::vector<double> errors(nodes_.size(), 0);
  for (size_t at = nodes_.size(); at-- > 0;) {  // children stand behind their parents
    TreeNode& node = nodes_[at];
    errors[at] = LeafErrors(node, confidence);
    if (node.children.empty()) continue;
    double as_tree = 0;
    for (const uint32_t child : node.children) as_tree += errors[child];
    if (errors[at] <= as_tree + 0.1) {
      node.children.clear();
    } else {
      errors[at] = as_tree;
    }
  }
}

std::vector<uint32_t> TreeRecord::Leaves() const {
  std::vector<uint32_t> leaves, stack(roots_.rbegin(), roots_.rend());
  while (!stack.empty()) {
    const uint32_t id = stack.back();
    stack.pop_back();
    const TreeNode& node = nodes_[id];
    if (node.children.empty()) leaves.push_back(id);
    stack.insert(stack.end(), node.children.rbegin(), node.children.rend());
  }
  return leaves;
}

}  // namespace tada
