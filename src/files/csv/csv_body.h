#pragma once

// The rows of a CSV, a wave of blocks at a time: the blocks of a wave are cut into cells side by side, while the next ones
// are read; then the columns are numbered side by side, each along the blocks. So memory holds the texts of a few blocks,
// and every different text once, whatever the size of the file.

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "files/byte_source.h"
#include "files/csv/csv_blocks.h"
#include "files/csv/csv_rows.h"
#include "table/column_builder.h"

namespace tada {

/// Appends the rows from `offset` on to the builders, one for each wanted column. False if a record is none of a table of
/// that shape, which DiagnoseCsv explains; the builders are then of no use.
Result<bool> ReadCsvBody(ByteSource& source, uint64_t offset, const std::string& name, const CsvShape& shape,
                         const Workers& workers, Progress& progress, std::vector<ColumnBuilder>& builders,
                         size_t block = CsvBlocks::kBlock);

}  // namespace tada
