#pragma once

// The order of the rows of a release, computed from what is released and nothing else: classes by their cells, rows of a class
// by their other columns. Two inputs whose released rows are the same, in any order, give the same file. So the order tells
// nothing (docs/decisions/canonical-order.md).

#include <span>
#include <vector>

#include "base/workers.h"
#include "recode/release.h"

namespace tada {

/// Sorts rows by columns that are released as they are, by the last column first.
void SortByValues(const Table& table, std::span<const ColumnId> columns, std::vector<RowId>& rows);

/// Sorts rows by the cells of their groups, keeping the order of rows that show the same cells.
void SortByCells(const Release& release, const Workers& workers, std::vector<RowId>& rows);

}  // namespace tada
