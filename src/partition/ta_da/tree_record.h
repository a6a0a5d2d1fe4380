#pragma once

// The decision tree that phase 1 grew: remembered for pruning and for explaining the groups. The splits come in from
// several threads; Finish() puts the nodes into an order that does not depend on them.

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "partition/engine/splits/label_split.h"

namespace tada {

struct TreeNode {
  uint32_t begin = 0, end = 0, depth = 0;
  LabelSplit split;                ///< of an inner node
  std::vector<Code> child_values;  ///< of a multiway split: the value of each child
  std::vector<uint32_t> children;  ///< empty for a leaf
  /// Values of the first label and how many rows have each, ascending, none with 0; empty if the label is a number.
  std::vector<std::pair<Code, uint32_t>> label_counts;
  double label_mean = 0;  ///< of a numeric first label
  uint32_t size() const { return end - begin; }
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
  const std::vector<uint32_t>& roots() const { return roots_; }
  /// The leaves below the roots, left to right.
  std::vector<uint32_t> Leaves() const;

 private:
  void CountLabels(const Problem& problem, const Groups& leaves);

  std::mutex mutex_;
  std::vector<TreeNode> nodes_;
  std::vector<uint32_t> roots_;
};

/// The tree in words, in facts and as a diagram, for the person who releases the data. It tells thresholds of the raw table.
NoteSection ExplainTree(const Problem& problem, const TreeRecord& tree, const Groups& leaves);

}  // namespace tada
