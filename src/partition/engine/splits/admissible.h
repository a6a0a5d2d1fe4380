#pragma once

// Whether the parts of a split meet the requirement: the question every chooser asks before it takes one.

#include <cstdint>
#include <vector>

#include "partition/engine/split_engine.h"
#include "partition/engine/splits/value_table.h"

namespace tada {

/// Answers for one thread; keeps its tallies between questions.
class Admissible {
 public:
  explicit Admissible(const Problem& problem);

  /// Whether the positions of a node with child[i] == 0 and those with child[i] == 1 both meet the requirement.
  /// Pre: the caller knows that both parts have at least checker.smallest_group() rows.
  bool BothSides(const NodeRows& rows, const Node& node, std::span<const uint16_t> child);

  /// Whether every one of `num_children` parts meets the requirement, sizes included.
  bool AllChildren(const NodeRows& rows, const Node& node, std::span<const uint16_t> child, uint32_t num_children);
  /// The same from the value table of the column that is split; `child` is of its values.
  bool AllChildren(const ValueTable& table, std::span<const uint16_t> child, uint32_t num_children);

 private:
  bool ByMasks(const NodeRows& rows, const Node& node, std::span<const uint16_t> child, uint32_t num_children);

  const Checker& checker_;
  std::vector<Tally> tallies_;
  std::vector<uint64_t> masks_;
};

}  // namespace tada
