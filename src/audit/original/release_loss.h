#pragma once

// What a release costs, from its cells and the original alone, whoever made it: the measures of the papers, by the definitions of
// docs/concepts.md. The cells of our own releases are scored in score/; this reads them as they are written, and agrees.
//   loss    the part of its column's span that a cell leaves open (table/label.h); a mask costs 1, and so does a name that neither
//           an original value nor a known label has.
//   NCP     the mean loss over released rows and quasi-identifiers, spans over the whole original.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "audit/classes/classes.h"
#include "audit/classes/verdict.h"
#include "audit/original/cover.h"
#include "table/column.h"

namespace tada {

/// The loss of one cell of a released column.
double CellLoss(const Column& released, const Column& original, const CellCover& cover, Code cell);

/// The mean loss over the rows of a released column; 0 without rows.
double LossOfColumn(const Column& released, const Column& original, const CellCover& cover);

/// Sums up: `per_column` are the losses of the quasi-identifiers, by name.
ReleaseLoss SumLosses(std::vector<std::pair<std::string, double>> per_column, const Classes& classes,
                      uint64_t withheld_rows);

}  // namespace tada
