#pragma once

// How much NCP no release of the same rows can do without at k and l, so that a report can say how far from the best one it is at most.
//   span    what the cells of some rows as one group leave open, summed over the quasi-identifiers (scorecard.h).
//   least   of a row: the smallest span of any k rows with the row among them, and l values of each sensitive column. Its group is
//           no narrower, whatever the release.
//   price   one per row, such that no group of k rows or more costs less, rows x span, than the prices of its rows add up to. Groups
//           have every row once, so no release costs less than all prices together; least spans are such prices. In small
//           tables prices are raised one by one as far as groups allow, widest first: a row far from all others makes its
//           whole group wide (the dual of the linear program that picks groups, by coordinates).
// Both are found by searching boxes, the cheapest bound first: from the row alone, every step decides whether the box takes in a
// further part of a column or never will. A search that is given up after its maximum number of steps counts with the lowest bound that is
// left, so what it gives is below the least in any case. Other requirements only make groups wider.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/workers.h"
#include "recode/release.h"

namespace tada {

/// What every group of a release has.
struct GroupsHave {
  uint64_t k = 1;                        ///< rows at least
  uint64_t l = 1;                        ///< different values at least, of each of
  std::vector<ColumnId> sensitive = {};  ///< columns of the release's table
};

/// NCP over the spans of the input that no release of these rows with such groups has less of. Nothing where that is not
/// known: cells by hierarchies, sets of numbers, more than 50,000 rows.
std::optional<double> LeastNcp(const Release& release, const GroupsHave& asked, const Workers& workers);

}  // namespace tada
