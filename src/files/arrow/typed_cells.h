#pragma once

// Released columns as Arrow arrays.
//   distinct cells   an array with one entry for each different cell (or value) of a column. Rows are taken from it by
//   index.

#include <arrow/array.h>
#include <arrow/result.h>
#include <arrow/type.h>

#include <memory>

#include "recode/cell_form.h"

namespace tada {

struct DistinctCells {
  std::shared_ptr<arrow::Array> cells;
  std::shared_ptr<arrow::DataType>
      type;  ///< of the written column: that of `cells`, or one they are cast to at the end
};

/// The different cells of a released column. Recoded numeric columns are struct<lo,hi>, recoded categorical ones
/// list<string>, those with labels of a hierarchy string; in another form than kTyped all these are strings as CSV has them.
/// Columns that are not recoded have the type the input stored, and texts that all print back the same as int64, double
/// or date32 have that type.
arrow::Result<DistinctCells> MakeDistinctCells(const Table& table, const ReleasedColumn& released, CellForm form);

}  // namespace tada
