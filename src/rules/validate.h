#pragma once

// How well models do on a table recoded by a rule: ten-fold cross-validation of a tree and of a support vector machine,
// as the paper on decision support has them. Recoded columns are nominal; folds are those of the scorer.

#include <span>

#include "rules/scorer.h"

namespace tada {

/// J48 on the classes of a level vector.
double TreeAccuracy(const LevelRows& rows, const LabelRows& labels, const LevelVector& levels);
/// A linear support vector machine on them.
double SvmAccuracy(const LevelRows& rows, const LabelRows& labels, const LevelVector& levels);
/// J48 on the raw columns: what there is to lose. Folds dealt at random, or in the order of the file, for tables that are
/// series in time.
double RawTreeAccuracy(const Table& table, std::span<const ColumnId> columns, std::span<const RowId> rows,
                       const LabelRows& labels, bool folds_in_file_order);

}  // namespace tada
