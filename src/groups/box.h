#pragma once

// The box of a group: what the cuts that made it leave open in every quasi-identifier, whoever stands inside. Released with
// --range cut instead of the extremes of the rows inside, which are values of people (docs/algorithms/mondrian.md).
//   cut       a place between two codes that stood next to each other in the group that was cut. The number it is written as
//             lies between their numbers and is as round as one there can be (recode/cut_text.h).
//   open      never cut: the box reaches to the bound of the column's domain, which is no one's value either.
//   side      what one column of a box leaves open: numbers between two cuts, or a list of values.
// The boxes of the children of a cut share out the box that was cut, so every row that may ever come lies in one box at most; in
// exactly one where no column has a hierarchy. (Below a branch of a hierarchy that nobody had is no box.)

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hierarchy/hierarchy.h"
#include "table/table.h"

namespace tada {

struct Cut {
  static constexpr Code kOpen = UINT32_MAX;
  Code below = kOpen, above = kOpen;
  bool open() const { return below == kOpen; }
  friend auto operator<=>(const Cut&, const Cut&) = default;
};

/// Whether a box of numbers holds people whose number is missing.
enum class MissingInBox : uint8_t { kMay, kNo, kOnly };

struct BoxSide {
  Cut lower, upper;  ///< of numbers
  MissingInBox missing = MissingInBox::kNo;
  /// Of names, and of any column with a hierarchy: the codes that the box allows, ascending. Null for numbers.
  std::shared_ptr<const std::vector<Code>> values;
};

/// One side per quasi-identifier, in the order of their roles.
using Box = std::vector<BoxSide>;

/// The box that was never cut. `hierarchies` has one per column, or is empty.
Box WholeBox(const Table& table, std::span<const ColumnId> columns, std::span<const Hierarchy* const> hierarchies);

/// The boxes of the parts of a group that was cut along one side. `codes` has for every part the codes that its rows have there,
/// ascending; of numbers the first and the last do. Values that the group does not have, but its box allows, go with the
/// nearest one below; along a hierarchy with those that they share the lowest node with, if these are in one part.
std::vector<std::shared_ptr<const Box>> CutBox(const Box& box, size_t side, const Column& column,
                                               const Hierarchy* hierarchy, std::span<const std::vector<Code>> codes);

/// The smallest box around boxes: around all parts of a cut, the box that was cut.
Box HullOfBoxes(std::span<const std::shared_ptr<const Box>> boxes);

}  // namespace tada
