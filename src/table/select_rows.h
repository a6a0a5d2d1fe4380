#pragma once

// A part of a table: some of its rows. The values keep their codes, so parts of one table can be compared.

#include <span>

#include "table/table.h"

namespace tada {

/// The rows of those numbers, in that order. Dictionaries are copied whole: values that no selected row has keep their codes.
Table SelectRows(const Table& table, std::span<const RowId> rows);

}  // namespace tada
