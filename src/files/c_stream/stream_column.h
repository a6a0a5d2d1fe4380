#pragma once

// One column of a stream on its way into a table.

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "files/c_stream/read_stream.h"

namespace tada {

class StreamColumn {
 public:
  virtual ~StreamColumn() = default;

  /// kData, naming the column, if its type has no texts.
  static Result<std::unique_ptr<StreamColumn>> Make(const ArrowSchema& schema, const ColumnOptions& options,
                                                    const std::string& stream);

  /// Adds `count` rows of `view`, from `first` on; kData if a value has no text.
  Status Feed(const ArrowArrayView& view, int64_t first, size_t count);
  Result<Column> Finish() { return builder_.Finish(); }
  /// Values by code. Pre: `column` is what Finish() gave.
  virtual StoredValues Stored(const Column& column) = 0;
  /// What the cells are if the type is that of released cells.
  virtual std::optional<Kind> typed_cells() const { return std::nullopt; }

 protected:
  StreamColumn(const ArrowSchema& schema, const ColumnOptions& options)
      : name_(schema.name == nullptr ? "" : schema.name), builder_(name_, options) {}
  /// Writes the number of each row's text; an error says what is wrong, without the column.
  virtual Status Number(const ArrowArrayView& view, int64_t first, std::span<uint32_t> numbers) = 0;

  std::string name_;
  std::string stream_;
  ColumnBuilder builder_;
};

}  // namespace tada
