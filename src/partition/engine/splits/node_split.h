#pragma once

// A split of a node as data: which child every code of one column goes to. What a chooser decides from value tables, for rows
// that are not at hand; and what can be kept of a split when the rows are gone.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace tada {

struct NodeSplit {
  uint32_t column = 0;             ///< among the quasi-identifiers
  uint32_t num_children = 0;       ///< 0: the node is final
  Code cut = 0;                    ///< of a cut along the order of codes: it and those above go right, the others left
  std::vector<Code> codes;         ///< of any other split: the codes of the node, ascending,
  std::vector<uint16_t> child_of;  ///< and the child that each of them goes to

  bool is_cut() const { return codes.empty(); }
  /// Pre: the code is one of the node's.
  uint16_t ChildOf(Code code) const {
    if (is_cut()) return code >= cut ? 1 : 0;
    return child_of[static_cast<size_t>(std::lower_bound(codes.begin(), codes.end(), code) - codes.begin())];
  }
};

}  // namespace tada
