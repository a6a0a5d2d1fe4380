#pragma once

// A released column and the original one behind it.

#include <memory>
#include <vector>

#include "audit/classes/verdict.h"
#include "audit/original/cover.h"
#include "table/table.h"

namespace tada {

struct ColumnPair {
  const Column* released = nullptr;
  const Column* original = nullptr;
  const LabelCodes* labels = nullptr;
  std::unique_ptr<CellCover> cells;  ///< of a quasi-identifier
  SharedValues values;               ///< of any other column
};

/// How many rows have each code.
inline std::vector<uint32_t> RowsByCode(const Column& column) {
  std::vector<uint32_t> rows(column.num_codes(), 0);
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++rows[code];
  });
  return rows;
}

}  // namespace tada
