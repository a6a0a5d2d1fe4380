#include "partition/ta_da/tree_record.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

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

double LeafErrors(const TreeRecord& tree, const TreeNode& node, double confidence) {
  const double rows = node.size();
  uint32_t most = 0;
  for (const auto& [value, count] : tree.labels(node)) most = std::max(most, count);
  const double errors = rows - most;
  return errors + AddedErrors(rows, errors, confidence);
}

// How often each value of a label occurs among some rows.
class LabelTally {
 public:
  explicit LabelTally(Code num_values) : counts_(num_values, 0) {}

  void Add(Code value, uint32_t count) {
    if (counts_[value] == 0) present_.push_back(value);
    counts_[value] += count;
  }
  /// Appends the values that occur, ascending, and begins again.
  void MoveTo(std::vector<std::pair<Code, uint32_t>>& out) {
    std::sort(present_.begin(), present_.end());
    for (const Code value : present_) out.emplace_back(value, std::exchange(counts_[value], 0));
    present_.clear();
  }

 private:
  std::vector<uint32_t> counts_;
  std::vector<Code> present_;
};

bool CountsNumbers(const Problem& problem, const Column& label) {
  return label.is_numeric() && problem.task == Task::kRegression;
}

constexpr size_t kBlockNodes = 1 << 13;  // whose labels a thread counts

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
  nodes_[node.id].first_child = first;
  nodes_[node.id].num_children = static_cast<uint32_t>(children.size());
  nodes_[node.id].split = static_cast<uint32_t>(splits_.size());
  for (const Node& child : children) nodes_.push_back({.begin = child.begin, .end = child.end, .depth = child.depth});
  splits_.push_back({std::move(split), std::move(child_values)});
  return first;
}

void TreeRecord::Finish(const Problem& problem, const Groups& leaves) {
  // Breadth first from the roots; children follow in their order, whoever recorded them first.
  std::vector<TreeNode> ordered;
  ordered.reserve(nodes_.size());
  for (uint32_t& root : roots_) {
    ordered.push_back(nodes_[root]);
    root = static_cast<uint32_t>(ordered.size() - 1);
  }
  for (size_t at = 0; at < ordered.size(); ++at) {
    const auto children = std::span(nodes_).subspan(ordered[at].first_child, ordered[at].num_children);
    ordered[at].first_child = static_cast<uint32_t>(ordered.size());
    ordered.insert(ordered.end(), children.begin(), children.end());
  }
  nodes_ = std::move(ordered);

  CountLabels(problem, leaves);
}

void TreeRecord::CountLeaves(const Problem& problem, const Groups& leaves) {
  const Column& label = problem.table.column(problem.roles.label[0]);
  const bool numeric = CountsNumbers(problem, label);
  std::vector<std::vector<LabelCount>> counted((nodes_.size() + kBlockNodes - 1) / kBlockNodes);  // by block
  problem.workers.ForBlocks(nodes_.size(), kBlockNodes, [&](size_t begin, size_t end) {
    LabelTally tally(numeric ? 0 : label.num_values());
    std::vector<LabelCount>& counts = counted[begin / kBlockNodes];
    label.codes().Visit([&](auto codes) {
      for (TreeNode& node : std::span(nodes_).subspan(begin, end - begin)) {
        for (uint32_t i = node.begin; node.leaf() && i < node.end; ++i) {
          const Code code = codes[leaves.order()[i]];
          if (!numeric) tally.Add(label.value_id(code), 1);
          if (numeric && !label.is_missing(code)) node.label_mean += label.number(code) / node.size();
        }
        node.first_label = counts.size();
        tally.MoveTo(counts);
        node.num_labels = static_cast<uint32_t>(counts.size() - node.first_label);
      }
    });
  });
  for (size_t block = 0; block < counted.size(); ++block) {
    const size_t begin = block * kBlockNodes, end = std::min(nodes_.size(), begin + kBlockNodes);
    for (size_t at = begin; at < end; ++at) nodes_[at].first_label += labels_.size();
    labels_.insert(labels_.end(), counted[block].begin(), counted[block].end());
  }
}

void TreeRecord::CountLabels(const Problem& problem, const Groups& leaves) {
  CountLeaves(problem, leaves);
  const Column& label = problem.table.column(problem.roles.label[0]);
  LabelTally tally(CountsNumbers(problem, label) ? 0 : label.num_values());
  for (size_t at = nodes_.size(); at-- > 0;) {  // children stand behind their parents
    TreeNode& node = nodes_[at];
    if (node.leaf()) continue;
    for (const TreeNode& child : std::span(nodes_).subspan(node.first_child, node.num_children)) {
      node.label_mean += child.label_mean * child.size() / node.size();
      for (const auto& [value, count] : labels(child)) tally.Add(value, count);
    }
    node.first_label = labels_.size();
    tally.MoveTo(labels_);
    node.num_labels = static_cast<uint32_t>(labels_.size() - node.first_label);
  }
}

void TreeRecord::Prune(double confidence) {
  if (nodes_.empty() || labels(nodes_[0]).empty()) return;
  std::vector<double> errors(nodes_.size(), 0);
  for (size_t at = nodes_.size(); at-- > 0;) {  // children stand behind their parents
    TreeNode& node = nodes_[at];
    errors[at] = LeafErrors(*this, node, confidence);
    if (node.leaf()) continue;
    double as_tree = 0;
    for (uint32_t c = 0; c < node.num_children; ++c) as_tree += errors[node.first_child + c];
    if (errors[at] <= as_tree + 0.1) {
      node.num_children = 0;
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
    if (node.leaf()) leaves.push_back(id);
    for (uint32_t c = node.num_children; c-- > 0;) stack.push_back(node.first_child + c);
  }
  return leaves;
}

}  // namespace tada
