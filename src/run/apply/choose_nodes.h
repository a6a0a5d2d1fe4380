#pragma once

// Which nodes of saved cuts are released with which rows.
//   fine     all rows of a node that can be released below it are.
//   misfit   a unit of a leaf whose units do not meet the requirement.
// Up: a node is released if its units meet the requirement, and those of some node below do not; then all of its units are released with
// its cells, none with smaller ones. A small cell beside a wide one around it would tell who is in the difference.

#include <functional>
#include <vector>

#include "base/ids.h"
#include "run/apply/placed_rows.h"

namespace tada {

enum class Misfits { kUp, kWithhold };

struct ChosenNodes {
  struct Part {
    uint32_t node = 0;  ///< of PlacedRows
    std::vector<uint32_t> units;
  };
  std::vector<Part> parts;
  uint64_t raised = 0;     ///< units that are released above their leaf
  uint64_t misfits = 0;    ///< units of leaves that are not released
  uint64_t uncovered = 0;  ///< units that no leaf covers, and that are not released
};

/// `keep` says of every unit whether it may be released at all; `holds` whether units can be a class.
ChosenNodes ChooseNodes(const PlacedRows& placed, const std::vector<uint8_t>& keep, Misfits misfits,
                        const std::function<bool(std::span<const uint32_t> units)>& holds);

}  // namespace tada
