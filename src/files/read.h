#pragma once

// What a table is when it comes from a file or a stream, and how it is asked for. Who reads is files/files.h.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/column_builder.h"
#include "table/column_doubt.h"
#include "table/table.h"

namespace tada {

/// How a file that does not say it itself is laid out.
struct LayoutOptions {
  std::optional<char> delimiter;  ///< of CSV; nothing: sniffed among , ; tab |
  std::string charset;            ///< of CSV that is not UTF-8 and has no byte order mark; "": UTF-8
  std::string sheet;              ///< of a workbook: its name or number; "": the first
};

struct ReadOptions : LayoutOptions {
  std::optional<std::vector<std::string>> columns;  ///< only these, in the file's order; nothing: all
  ColumnOptions defaults;                           ///< of columns not named below
  std::map<std::string, ColumnOptions> by_name;
  /// Columns to read besides, by their names, where no header says which there are (Source::has_header). Null: none.
  bool (*also)(std::string_view name) = nullptr;
  bool guarded = false;  ///< of CSV: an apostrophe before a formula is not part of the cell (files/csv/formula_guard.h)
};

/// How the columns of a table were stored, kept so that a release of it gives them back in their types. Only the backend that
/// read the table knows more.
class StoredColumns {
 public:
  virtual ~StoredColumns() = default;
};

/// A table, and what is to be said of the file it came from.
struct TableFile {
  Table table;
  std::vector<std::string> all_columns;  ///< every column of the file, in order
  /// The columns read whose type is that of released cells, and what these are: intervals of numbers or sets of names.
  std::map<std::string, Kind> typed_cells;
  std::string format;  ///< "csv", "csv.gz", "parquet", "arrow"
  char delimiter = ',';
  std::string charset = "UTF-8";  ///< what the text was written in
  uint64_t bytes = 0;
  std::shared_ptr<const StoredColumns> stored;  ///< null: as texts
};

}  // namespace tada
