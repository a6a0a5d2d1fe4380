#pragma once

// Partition crossover: the best of two ways to group the same rows, taken piece by piece.
//   piece       the least set of rows, not empty, that is a union of groups in both ways. Inside a piece either way can be chosen whatever is
//               chosen elsewhere, so the cheaper one is; the result is the cheapest of all mixtures of the two, and every group of
//               it is a group of one of them, so it meets the requirement.
//   class       rows that nothing in the search tells apart: one tuple, the same sensitive values, the same labels. Before pieces are looked for,
//               rows of a class change places in the second way so that its groups agree with the first one's, which makes pieces smaller.
// Linear in the rows, but for classes of many rows. docs/algorithms/compact.md

#include <cstdint>
#include <vector>

#include "partition/compact/regions.h"
#include "partition/compact/search_rows.h"

namespace tada {

/// Groups of rows and what each of them loses.
struct Grouping {
  GroupLists groups;
  std::vector<double> losses;

  double Loss() const;
};

/// The class of every row.
std::vector<uint32_t> FindClasses(const SearchRows& rows);

/// Pre:  both hold the same rows, each once; `class_of` is by row.
/// Post: the result holds them too; of every piece it has the cheaper groups, in doubt the first's.
Grouping Cross(const std::vector<uint32_t>& class_of, Grouping first, Grouping second);

}  // namespace tada
