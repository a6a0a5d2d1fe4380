#pragma once

// From tables and releases to cells that models learn from (learn/features/cell_table.h). Features are all released columns but the label.
// Names keep the numbers of the original's values, so that raw rows and released rows can be mixed.

#include <span>
#include <string>

#include "base/workers.h"
#include "learn/features/cell_table.h"
#include "plan/plan.h"
#include "recode/release.h"

namespace tada {

/// The raw values of some rows.
CellTable RawCells(const Table& table, const Roles& roles, bool regression, std::span<const RowId> rows);

/// What a release shows of all rows of its table, in the table's order.
CellTable ReleasedCells(const Release& release, const Roles& roles, bool regression);

/// How values are drawn.
struct DrawSettings {
  std::span<const std::string> missing;
  uint64_t seed;
  uint32_t copies;
  const Workers& workers;
  bool by_model = false;  ///< as `tada decode --model` draws
};

/// The same with values drawn inside every cell, as src/decode draws them: all rows once, then all rows again for each further copy.
/// Errors: a label that no model can learn.
Result<CellTable> DrawnCells(const Release& release, const Roles& roles, bool regression, const DrawSettings& settings);

/// The same as `tada decode --expect` writes it, all numbers: probabilities of names, means.
CellTable ExpectedCells(const Release& release, const Roles& roles, bool regression,
                        std::span<const std::string> missing);

}  // namespace tada
