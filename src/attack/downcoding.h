#pragma once

// What somebody learns who knows how a release was made, beside what its cells say.
//   bound    an end of a released interval, or an element of a released set.
//   tight    every bound of a column is a value of somebody whom its class covers: the method gives cells that are as narrow as they
//            can be, and whoever knows it knows that the ends are people's values.
//   bits     by how much that narrows a cell, for every person of the class: of V^m ways to give m people one of V values only those are
//            left that use every bound. 0 for cells that are not tight, as boxes of cuts.
// Cohen, "Attacks on deidentification's defenses" (2022), calls such narrowing downcoding. docs/attack.md

#include <string>
#include <vector>

#include "attack/matches.h"

namespace tada {

struct Narrowing {
  std::string column;
  uint64_t bounds = 0;  ///< of the widened cells of all classes
  uint64_t values = 0;  ///< of these, those that are somebody's value
  double bits = 0;      ///< mean over the people
  bool tight() const { return bounds > 0 && values == bounds; }
};

/// One for each quasi-identifier that has widened cells. `matches` are those of all quasi-identifiers.
std::vector<Narrowing> MeasureNarrowing(const Table& release, std::span<const ColumnId> release_quasi,
                                        const Classes& classes, const People& people, const Matches& matches);

}  // namespace tada
