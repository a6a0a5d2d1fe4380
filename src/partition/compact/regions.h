#pragma once

// Cuts the table into regions for the local search of `compact`: whole groups, near each other, of at most a given number of rows.
// The cuts depend on the groups and a seed, never on threads; another seed cuts elsewhere, so that what lies on a border
// in one round lies inside in the next.

#include <cstdint>
#include <vector>

#include "partition/compact/search_rows.h"

namespace tada {

using GroupLists = std::vector<std::vector<uint32_t>>;  ///< groups as lists of rows of SearchRows

/// Lists of groups, by position in `groups`; every group is in one.
std::vector<std::vector<uint32_t>> CutRegions(const SearchRows& rows, const GroupLists& groups, uint64_t max_rows,
                                              uint64_t seed);

}  // namespace tada
