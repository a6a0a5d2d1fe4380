#pragma once

// How Mondrian cuts a column that has a hierarchy: the group stands below one node of it; the cut is into that node's
// children, all at once, if every one that has rows meets the requirement (LeFevre et al. 2006, section 2.4; Basic Mondrian).

#include "partition/engine/split_engine.h"
#include "partition/engine/splits/admissible.h"
#include "partition/engine/splits/value_table.h"

namespace tada {

/// The lowest level at which the codes of a group coincide.
template <class T>
uint32_t CommonLevel(const Hierarchy& hierarchy, std::span<const T> codes) {
  uint32_t level = 0;
  for (const T code : codes) {
    while (hierarchy.node(level, code) != hierarchy.node(level, codes[0])) ++level;
  }
  return level;
}

/// The share of its column's values that stand below a group's node: what Mondrian compares with the spans of other columns.
double TaxonomySpan(const Problem& problem, size_t i, const NodeRows& rows, const Node& node);
/// The same for a group whose codes are given.
double TaxonomySpan(const Problem& problem, size_t i, std::span<const Code> codes);

/// Fills `child` and returns the number of children; 0 if the cut is not possible.
uint32_t CutAtTaxonomy(const Problem& problem, size_t i, const NodeRows& rows, const Node& node, Admissible& admissible,
                       std::vector<uint16_t>& child);
/// The same from a value table; `child` has an entry for each of its values.
uint32_t CutAtTaxonomy(const Problem& problem, size_t i, const ValueTable& table, Admissible& admissible,
                       std::vector<uint16_t>& child);

}  // namespace tada
