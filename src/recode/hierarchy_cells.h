#pragma once

// The different cells of a column that is released by its hierarchy, numbered as they come up.

#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "hierarchy/hierarchy.h"
#include "recode/rare_values.h"
#include "recode/release.h"

namespace tada {

class HierarchyCells {
 public:
  HierarchyCells(const Column& column, const Hierarchy& hierarchy, const RareValues& rare, ReleasedColumn& out)
      : column_(column), hierarchy_(hierarchy), rare_(rare), out_(out) {}

  uint32_t Mask() { return Add({UINT32_MAX, 0}); }
  /// A node, or the lowest one above it that does not say a rare value.
  uint32_t At(uint32_t level, Code node);
  /// The lowest node above all of these values, of which there is one at least.
  uint32_t Above(std::span<const Code> values) {
    uint32_t level = 0;
    for (const Code value : values) {
      while (hierarchy_.node(level, value) != hierarchy_.node(level, values[0])) ++level;  // the root ends it
    }
    return At(level, hierarchy_.node(level, values[0]));
  }

 private:
  uint32_t Add(std::pair<uint32_t, Code> node);
  Cell CellOf(uint32_t level, Code node);

  const Column& column_;
  const Hierarchy& hierarchy_;
  const RareValues& rare_;
  ReleasedColumn& out_;
  std::map<std::pair<uint32_t, Code>, uint32_t> known_;
};

}  // namespace tada
