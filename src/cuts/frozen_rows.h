#pragma once

// Rows that stand for an earlier release, which classes of a later one are compared with (tada apply --append).

#include "cuts/cuts.h"
#include "table/column_builder.h"
#include "table/table.h"

namespace tada {

/// A table with rows behind its own that have the frozen values in their columns; what they have elsewhere means nothing. Columns are
/// made anew by `options`, so that values have one code in both parts.
Result<Table> WithFrozenRows(const Table& table, const FrozenValues& frozen,
                             const std::map<std::string, ColumnOptions>& options);

}  // namespace tada
