#pragma once

// Trees of groups: which groups stand in which node, before the cells of nodes are known.

#include <memory>
#include <vector>

#include "cuts/cuts.h"
#include "cuts/take_cuts.h"

namespace tada {

struct CutTree {
  std::vector<CutNode> nodes;                     ///< without cells; each after its parent
  std::vector<std::vector<GroupId>> groups;       ///< by node, those that it encloses
  std::vector<std::shared_ptr<const Box>> boxes;  ///< by node; empty for means
};

/// The tree of the boxes that groups were cut into.
CutTree TreeOfBoxes(const CutsSource& source);

/// A tree over clusters: halved along the column in which their means lie furthest apart, again and again. Fills in center, scale
/// and order of the columns, by which means are taken.
CutTree TreeOfMeans(const CutsSource& source, std::vector<CutColumn>& columns);

}  // namespace tada
