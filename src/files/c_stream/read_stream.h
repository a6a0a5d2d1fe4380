#pragma once

// Reads tables from Arrow C streams: what pyarrow, pandas, polars, DuckDB and others hand over without copying.
//   stored values   the values of a typed column by code, as bytes, so that a release gives them back in their type.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "files/c_stream/arrow_leaf.h"
#include "table/column_builder.h"
#include "table/table.h"

namespace tada {

struct StreamOptions {
  std::optional<std::vector<std::string>> columns;  ///< only these, in the stream's order; nothing: all
  ColumnOptions defaults;                           ///< of columns not named below
  std::map<std::string, ColumnOptions> by_name;
  std::string name = "the frame";  ///< what messages call it
};

struct StoredValues {
  std::optional<LeafType> leaf;  ///< nothing: typed cells of a release
  nanoarrow::UniqueSchema type;  ///< of the values: of a dictionary, that of its entries
  std::vector<uint8_t> bytes;    ///< by code, leaf->width each; empty for strings
  bool inferred = false;         ///< no stored type: it follows from the texts, as in a CSV file
};

struct StreamTable {
  Table table;
  std::vector<StoredValues> stored;      ///< one per column of the table
  std::vector<std::string> all_columns;  ///< every column of the stream, in order
  /// The columns read whose type is that of released cells, and what these are: intervals of numbers or sets of names.
  std::map<std::string, Kind> typed_cells;
};

class StreamColumn;

/// Takes batches one after the other.
class StreamReader {
 public:
  /// kData if the schema is no table, has a name twice, or a wanted column's type has no texts.
  static Result<StreamReader> Open(const ArrowSchema& schema, const StreamOptions& options);
  StreamReader(StreamReader&&) noexcept;
  ~StreamReader();

  /// Adds the rows of a batch; kData if it is damaged. The batch is not needed afterwards.
  Status Add(const ArrowArray& batch, const Workers& workers);
  Result<StreamTable> Finish(const Workers& workers);

 private:
  StreamReader();
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a stream to its end.
/// A stream that failed while it was read. What its maker says of it may hold cells, so it is left out; what the package says of a reader
/// does not ("the reader of the frame failed: ValueError").
Error FailedStream(const std::string& name, std::string_view words);

Result<StreamTable> ReadStream(ArrowArrayStream& stream, const StreamOptions& options, const Workers& workers,
                               Progress& progress);

/// The column names of a stream that is not read yet; kData if it cannot be read or is no table.
Result<std::vector<std::string>> StreamHeader(ArrowArrayStream& stream, const std::string& name);

}  // namespace tada
