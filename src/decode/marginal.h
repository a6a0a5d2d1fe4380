#pragma once

// How often each atom of a column occurs, as far as its released cells tell: the distribution under which they are most
// likely, by expectation maximization. A round spreads the rows of every cell over its atoms in proportion
// to the estimate so far, and adds up. Reads the cells only, so that it can tell nothing that the release does not.

#include <cstdint>
#include <span>
#include <vector>

#include "decode/cell_atoms.h"

namespace tada {

/// Rounds that are enough: names take longer to settle, since sets overlap in more ways than intervals.
inline constexpr int kRoundsOfNames = 20, kRoundsOfNumbers = 10;

/// The share of each atom; they sum to 1 (all are 0 if no cell with rows has an atom). `rows`: how many rows show each cell.
std::vector<double> EstimateMarginal(const CellAtoms& cells, std::span<const uint64_t> rows, int rounds);

}  // namespace tada
