#pragma once

// The decision tree that phase 1 grew: remembered for pruning and for explaining the groups. The splits come in from
// several threads; Finish() puts the nodes into an order that does not depend on them.

#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "partition/engine/splits/label_split.h"

namespace tada {

/// Small, since a tree may have a node for every ten rows: what only some nodes have stands elsewhere in the record.
struct TreeNode {
  uint32_t begin = 0, end = 0, depth = 0;
  uint32_t first_child = 0, num_children = 0;  ///< children follow one another; none for a leaf
  uint32_t split = 0;                          ///< of an inner node: its number in the record
  uint32_t num_labels = 0;
  size_t first_label = 0;  ///< in the record
  double label_mean = 0;   ///< of a numeric first label
  uint32_t size() const { return end - begin; }
  bool leaf() const { return num_children == 0; }
};

/// How an inner node was split.
struct RecordedSplit {
  LabelSplit chosen;
  std::vector<Code> child_values;  ///< of a multiway split: the value of each child
};

class TreeRecord {
 public:
  /// One root per group; their numbers are the nodes' first ids.
  explicit TreeRecord(const Groups& groups);

  /// Remembers a split; returns the number of the first child, the others follow.
  uint32_t Split(const Node& node, LabelSplit split, std::vector<Code> child_values, std::span<const Node> children);

  /// Call once when growing is done: numbers the nodes from the roots down, left to right, and counts labels.
  void Finish(const Problem& problem, const Groups& leaves);
  /// Pessimistic pruning as in C4.5: takes a subtree away where a leaf is not expected to err more.
  void Prune(double confidence);

  const std::vector<TreeNode>& nodes() const { return nodes_; }
  const RecordedSplit& split(const TreeNode& node) const { return splits_[node.split]; }
  /// Values of the first label and how many rows of the node have each, ascending, none with 0; none if the label is a number.
  std::span<const std::pair<Code, uint32_t>> labels(const TreeNode& node) const {
    return std::span(labels_).subspan(node.first_label, node.num_labels);
  }
  const std::vector<uint32_t>& roots() const { return roots_; }
  /// The leaves below the roots, left to right.
  std::vector<uint32_t> Leaves() const;

 private:
  using LabelCount = std::pair<Code, uint32_t>;
  void CountLabels(const Problem& problem, const Groups& leaves);
  void CountLeaves(const Problem& problem, const Groups& leaves);

  std::mutex mutex_;
  std::vector<TreeNode> nodes_;
  std::deque<RecordedSplit> splits_;  // large, and never moved
  std::vector<LabelCount> labels_;
  std::vector<uint32_t> roots_;
};

/// The tree in words, in facts and as a diagram, for the person who releases the data. It tells thresholds of the raw table.
NoteSection ExplainTree(const Problem& problem, const TreeRecord& tree, const Groups& leaves);

}  // namespace tada
