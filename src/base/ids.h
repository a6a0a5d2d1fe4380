#pragma once

// The integers everything between the edges works on. Plain aliases, not wrapper types: they live by the million in
// spans that loops vectorize over (docs/decisions/plain-ids.md).

#include <cstdint>

namespace tada {

using RowId = uint32_t;     ///< a row of a table, by its position in the input
using Code = uint32_t;      ///< a value of a column, by its rank among the column's values
using ColumnId = uint32_t;  ///< a column of a table, by its position
using GroupId = uint32_t;   ///< a group, by its position

}  // namespace tada
