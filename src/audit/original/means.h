#pragma once

// Means and most frequent names (--recode mean) against the original: such cells cover nobody, so what is verified is where they come from.
//   with an order   every cell is the mean of the numbers, or one of the most frequent names, of the original rows behind its class.
//   without         the rows behind a class are not known. What any such release has to meet is checked: the sum of a column is kept,
//                   and no name shows that the original lacks.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/classes/classes.h"
#include "table/column.h"

namespace tada {

/// What is wrong in one column.
struct MeanFault {
  uint64_t rows = 0;    ///< of classes whose cell is not what their original rows give
  std::string example;  ///< of the first
};

/// Released row i stands for original row order[i].
MeanFault CheckMeans(const Column& released, const Column& original, const Classes& classes,
                     std::span<const RowId> order);

/// Without an order; `all`: no row was withheld. "" if nothing is wrong.
std::string CheckTotals(const Column& released, const Column& original, bool all);

/// The share of the column's variance that is lost inside classes; of names the share of rows that show another one.
double SquaredError(const Column& released, const Column& original, std::span<const RowId> order);

}  // namespace tada
