#pragma once

// Mondrian's questions, answered by the value tables of a node: for rows that are spread over machines.

#include <vector>

#include "partition/engine/splits/admissible.h"
#include "partition/engine/splits/node_split.h"
#include "partition/engine/splits/value_table.h"
#include "partition/mondrian/median_view.h"

namespace tada {

class MedianTables final : public MedianView {
 public:
  /// Pre: one table per quasi-identifier, none of them empty.
  MedianTables(const Problem& problem, std::span<const ValueTable> tables, Admissible& admissible);

  /// The cut that was taken last; no children if none was.
  NodeSplit split() && { return std::move(split_); }

  Axis FindAxis(uint32_t column) override;
  double SpanByHierarchy(uint32_t column) override;
  Middle FindMiddle(const Axis& axis) override;
  std::span<const uint32_t> CountCodes(const Axis& axis) override;
  bool TakeCut(const Axis& axis, Code cut) override;
  bool TakeRelaxed(const Axis& axis, Code middle) override;
  bool TakeSides(const Axis& axis, std::span<const uint16_t> side_of) override;
  uint32_t TakeHierarchy(uint32_t column) override;

 private:
  /// Remembers that the values of a column go where child_ says.
  void Remember(uint32_t column, uint32_t num_children);

  const Problem& problem_;
  std::span<const ValueTable> tables_;
  Admissible& admissible_;
  std::vector<uint32_t> counts_;
  std::vector<uint16_t> child_;  // of the values of a column
  NodeSplit split_;
};

}  // namespace tada
