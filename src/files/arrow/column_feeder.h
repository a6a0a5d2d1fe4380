#pragma once

// Feeds Arrow arrays into a column builder: values become texts, typed cells of a release become its cell texts.

#include <arrow/array.h>
#include <arrow/type.h>

#include <memory>
#include <string>

#include "files/arrow/parquet_cells.h"
#include "table/column_builder.h"

namespace tada {

class ColumnFeeder {
 public:
  /// Callers use Make(), which finds the right kind.
  ColumnFeeder(const arrow::Field& field, const ColumnOptions& options, const std::string& file);
  virtual ~ColumnFeeder() = default;

  /// kData, naming the column, if its type has no texts.
  static Result<std::unique_ptr<ColumnFeeder>> Make(const arrow::Field& field, const ColumnOptions& options,
                                                    const std::string& file);

  /// Adds the rows of an array; kData if it is damaged or has a value without a text.
  Status Feed(const arrow::Array& array);
  /// Adds rows by their levels. Pre: of the field that this was made for.
  Status Feed(const CellLevels& cells);
  ColumnBuilder& builder() { return builder_; }

 protected:
  /// Writes the number of each row's text. Pre: the array is valid. False if a value has no text.
  virtual bool Number(const arrow::Array& array, std::span<uint32_t> numbers) = 0;
  virtual bool Number(const CellLevels& cells, std::span<uint32_t> numbers) = 0;

  Status Fed(bool numbered) const;

  std::string column_, file_;
  ColumnBuilder builder_;
};

}  // namespace tada
