#pragma once

// A Parquet file of released cells, row group by row group. Leaves are encoded at the same time, each in memory, and put into the file
// one after the other, so that its bytes do not depend on the threads.

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/workers.h"
#include "files/arrow/pages/leaf_writer.h"
#include "files/arrow/pages/released_leaves.h"

namespace tada {

class ParquetFile {
 public:
  /// A column of the file: its name and type, and its different cells.
  struct Column {
    std::shared_ptr<arrow::Field> field;
    std::vector<LeafCells> leaves;
  };

  /// May throw parquet::ParquetException, as the others do.
  static arrow::Result<ParquetFile> Open(std::shared_ptr<arrow::io::OutputStream> stream, std::vector<Column> columns);

  /// Writes a row group. runs_of(i): its rows by the cells of a column; called by any thread.
  arrow::Status Write(size_t rows, const std::function<std::vector<CellRun>(size_t)>& runs_of, const Workers& workers);
  /// Writes what the file says of itself.
  void Close();

 private:
  ParquetFile(std::shared_ptr<arrow::io::OutputStream> stream, std::vector<Column> columns);

  std::shared_ptr<arrow::io::OutputStream> stream_;
  std::vector<Column> columns_;
  std::shared_ptr<parquet::WriterProperties> properties_;
  std::shared_ptr<parquet::SchemaDescriptor> schema_;
  std::shared_ptr<const arrow::KeyValueMetadata> stored_;  // what Arrow's readers take the types from
  std::unique_ptr<parquet::FileMetaDataBuilder> metadata_;
  int16_t num_groups_ = 0;
};

}  // namespace tada
