#pragma once

// An order of the original's rows in which every released row tells the truth about its own.

#include <optional>
#include <vector>

#include "audit/classes/classes.h"
#include "audit/original/column_pair.h"
#include "audit/original/people.h"
#include "base/workers.h"

namespace tada {

/// Looks for an original row for every released one. The number of rows without one, or nothing if the limit of steps is reached.
/// While `found.known`, it notes the class that each original row stands in; if one may stand in two, nothing is known.
std::optional<uint64_t> SearchOrder(const std::vector<ColumnPair>& pairs, const Table& release, const Table& original,
                                    const Classes& classes, uint64_t search_limit, const Workers& workers,
                                    ClassOfOriginal& found);

}  // namespace tada
