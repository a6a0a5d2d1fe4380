#pragma once

// What the readers of the formats share; files.h is the door.

#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "files/format.h"
#include "files/read.h"

namespace tada {

/// For each column of the file, whether it is wanted; kInvalidArgument if one that is asked for is not there.
Result<std::vector<bool>> WantedColumns(const std::vector<std::string>& all, const ReadOptions& options,
                                        const std::string& name);

/// The options of a column.
const ColumnOptions& OptionsOf(const std::string& column, const ReadOptions& options);

/// Finishes builders, several at a time, into a table. Errors say on which of these lines a value stands, if there are lines.
Result<Table> FinishColumns(std::vector<ColumnBuilder> builders, const Workers& workers,
                            const std::shared_ptr<const RowLines>& lines = {});

Result<TableFile> ReadCsv(const std::string& path, Format format, const ReadOptions& options, const Workers& workers,
                          Progress& progress);
Result<TableFile> ReadParquet(const std::string& path, const ReadOptions& options, const Workers& workers,
                              Progress& progress);
Result<TableFile> ReadArrow(const std::string& path, const ReadOptions& options, const Workers& workers,
                            Progress& progress);

/// The column names of a Parquet or Arrow file.
Result<std::vector<std::string>> ReadParquetHeader(const std::string& path);
Result<std::vector<std::string>> ReadArrowHeader(const std::string& path);

}  // namespace tada
