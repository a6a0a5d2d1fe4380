#pragma once

// The value tables of all quasi-identifiers of a node, for choosers that look at labels. Large nodes are counted into plain
// arrays that add up, so that of the children of a split all but the largest are counted and the largest is what is left.

#include <memory>
#include <span>
#include <vector>

#include "partition/engine/splits/dense_counts.h"

namespace tada {

class NodeTables {
 public:
  NodeTables(const Problem& problem, std::span<const LabelView> labels);

  /// Counts a node; uses what Hand left in node.memory.
  void Count(const NodeRows& rows, const Node& node);
  /// Forgets the node at hand, so that Hand leaves nothing to its children.
  void Forget() { counts_.reset(); }
  const ValueTable& table(uint32_t column) const { return tables_[column]; }
  std::span<const ValueTable> all() const { return tables_; }
  /// Leaves the children of the node that was counted last what they need not count again.
  void Hand(const NodeRows& rows, std::span<Node> children) const;

 private:
  bool DensePays(const Node& node) const { return dense_cells_ <= 4 * size_t{node.size()}; }

  const Problem& problem_;
  std::span<const LabelView> labels_;
  size_t dense_cells_;
  std::vector<ValueTable> tables_;
  std::shared_ptr<const DenseCounts> counts_;  // of the node at hand, if it has any
};

}  // namespace tada
