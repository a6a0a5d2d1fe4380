#pragma once

// From a table's rows to points. Numbers (and dates) are standardized: minus their mean, divided by their standard deviation.
// Names become numbers in one of these ways; columns of names that have an order (ordinal) always take the first.
//   codes        1, 2, ... along the order of the values, standardized: what the paper on TA_DA does.
//   appearance   the same in the order in which the values first occur.
//   hierarchy    the same in the order of the leaves of the column's hierarchy, so that values below one node are neighbours;
//                siblings by their first value. A column without a hierarchy takes the first way.
//   one_hot      a feature for each value, scaled so that two different values are at squared distance 1.
// A missing number stands at the mean, and a further feature, standardized too, tells missing from present: a group that mixes
// them is released as `*`, so they had better not be near each other. A missing name is a value like the others.
// Means and deviations are over the rows given. A column in which they're all alike adds nothing.

#include <span>

#include "base/ids.h"
#include "base/status.h"
#include "hierarchy/hierarchy.h"
#include "learn/neighbours/points.h"
#include "table/table.h"

namespace tada {

enum class NameEncoding { kCodes, kAppearance, kHierarchy, kOneHot };

/// One point per row, in the order of `rows`; at least one feature. An error if one-hot would need too many. `hierarchies`: one per
/// column, or fewer; null where a column has none. `importances`: what squared distances in a column are multiplied by, one per column, or
/// fewer; 1 for the others.
Result<Points> EncodeRows(const Table& table, std::span<const ColumnId> columns, std::span<const RowId> rows,
                          NameEncoding encoding, std::span<const Hierarchy* const> hierarchies = {},
                          std::span<const double> importances = {});

}  // namespace tada
