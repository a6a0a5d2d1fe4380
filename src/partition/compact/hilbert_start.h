#pragma once

// A fast first grouping for millions of rows (Ghinita et al. 2007): order the rows along a Hilbert curve through all
// quasi-identifiers, on which neighbours are near, then cut the order into groups of least loss by a dynamic program.
//   key     where a row lies on the curve, at most 128 bits: the more columns, the coarser each.
//   atom    rows in a row that are never cut apart: one for small k, a thirty-second of k for large k.
//   block   a piece of the order that is cut by itself, so that blocks can be cut in parallel.
// It is coarser than cutting by least loss (ncp_split.h) and meant to be improved by local search.

#include "groups/groups.h"
#include "partition/engine/loss_model.h"
#include "partition/engine/problem.h"

namespace tada {

/// Pre: `rows` as one group meet the requirement.  Post: every group meets it.
Groups HilbertStart(const Problem& problem, const LossModel& loss, std::span<const RowId> rows);

}  // namespace tada
