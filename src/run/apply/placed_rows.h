#pragma once

// Rows of a table among the nodes of saved cuts.
//   unit     what is released or not: a row, or all rows of a person.
//   anchor   the lowest node whose cells cover all rows of a unit; it is released there or above, or not at all.

#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "cuts/cuts.h"
#include "groups/groups.h"
#include "run/apply/applied_column.h"

namespace tada {

struct PlacedNode {
  uint32_t parent = CutNode::kNone;
  bool leaf = true;   ///< a box, a cluster or a class of the release that the cuts are of
  uint32_t node = 0;  ///< of the cuts
  size_t step = 0;    ///< of the cuts' levels
};

struct PlacedRows {
  std::vector<PlacedNode> nodes;  ///< each after its parent
  std::vector<uint32_t> anchors;  ///< by unit; CutNode::kNone: no cell covers it
};

struct PlaceRequest {
  const Cuts& cuts;
  const Table& table;
  std::span<const ColumnId> quasi;
  const std::vector<AppliedColumn>& columns;
  const std::vector<AppliedHierarchy>& hierarchies;  ///< one per column
  const Groups& units;                               ///< a group per unit
};

PlacedRows PlaceRows(const PlaceRequest& request, const Workers& workers);

}  // namespace tada
