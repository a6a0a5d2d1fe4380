#pragma once

// Small tables for tests: written as text, or drawn at random.

#include <string>
#include <string_view>
#include <vector>

#include "table/column_builder.h"
#include "table/table.h"

namespace tada::testing {

/// A table from lines of blank-separated cells, the first line being the names; `name:categorical` sets a kind,
/// `_` is an empty cell. Throws std::runtime_error on a mistake in the text.
Table MakeTable(std::string_view text);

/// The column ids of names that are in the table.
std::vector<ColumnId> Ids(const Table& table, const std::vector<std::string>& names);

/// The running example of DT-Anon: Age State Job Income, 11 rows; 12 with the reconstructed one.
/// `states_by_appearance` orders State as MN, CA, TX instead of by name.
Table RunningExample(bool twelve_rows = false, bool states_by_appearance = false);

}  // namespace tada::testing
