#pragma once

// Reading tables: .csv, .csv.gz, .parquet, .arrow/.feather by extension, `-` for CSV on standard input.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "table/column_builder.h"
#include "table/table.h"

namespace tada {

struct ReadOptions {
  std::optional<char> delimiter;                    ///< of CSV; nothing: sniffed among , ; tab |
  std::optional<std::vector<std::string>> columns;  ///< only these, in the file's order; nothing: all
  ColumnOptions defaults;                           ///< of columns not named below
  std::map<std::string, ColumnOptions> by_name;
};

/// A table, and what is to be said of the file it came from.
struct TableFile {
  Table table;
  std::vector<std::string> all_columns;  ///< every column of the file, in order
  /// The columns read whose type is that of released cells, and what these are: intervals of numbers or sets of names.
  std::map<std::string, Kind> typed_cells;
  std::string format;  ///< "csv", "csv.gz", "parquet", "arrow"
  char delimiter = ',';
  uint64_t bytes = 0;
};

/// Reads a whole table. Errors are kData and name file, line and column. A file that changes while it is read is an
/// error.
Result<TableFile> ReadTable(const std::string& path, const ReadOptions& options, const Workers& workers,
                            Progress& progress);

/// The column names of a file, without reading its rows.
Result<std::vector<std::string>> ReadHeader(const std::string& path, std::optional<char> delimiter);

/// The SHA-256 of a file's bytes, in hex.
Result<std::string> FileSha256(const std::string& path);

}  // namespace tada
