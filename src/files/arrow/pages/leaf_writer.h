#pragma once

// One leaf of a row group of a Parquet file. Rows of a class stand together, so a leaf is written by runs of equal cells: a dictionary
// page with the values that rows show, in the order in which they do, and pages of levels and entries. What such pages do not suit,
// because there are too many values or Parquet stores them as something else, is left to Arrow's writer.

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <parquet/column_writer.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <memory>
#include <span>
#include <vector>

#include "files/arrow/pages/released_leaves.h"

namespace tada {

/// Rows one after the other that show the same cell.
struct CellRun {
  uint32_t cell = 0, rows = 0;
};

class LeafWriter {
 public:
  /// What it is given stays at least as long. `metadata`: of this leaf in the row group.
  LeafWriter(const LeafCells& leaf, parquet::ColumnChunkMetaDataBuilder& metadata,
             std::shared_ptr<arrow::io::OutputStream> file, const parquet::WriterProperties& properties);
  ~LeafWriter();

  /// Encodes all rows of the row group, in memory: leaves can be written at the same time.
  arrow::Status Write(std::span<const CellRun> runs);
  /// Puts the leaf into the file, in the order of leaves; returns its bytes before they were packed. May throw
  /// parquet::ParquetException.
  int64_t Close();

 private:
  class Page;
  struct Shown;
  Shown ShownBy(std::span<const CellRun> runs) const;
  /// The values of the dictionary page; null if there should be none.
  arrow::Result<std::shared_ptr<arrow::Array>> DictionaryOf(const Shown& shown) const;
  void WriteDictionary(const arrow::Array& dictionary, const Shown& shown);
  void WritePages(const Shown& shown, std::span<const CellRun> runs);
  void WritePage(Page& page);
  arrow::Status WriteByArrow(std::span<const CellRun> runs);

  const LeafCells& leaf_;
  parquet::ColumnChunkMetaDataBuilder& metadata_;
  const parquet::WriterProperties& properties_;
  std::unique_ptr<parquet::PageWriter> pages_;
  std::shared_ptr<parquet::ColumnWriter> by_arrow_;  // null: by pages of our own
  int64_t bytes_ = 0;
};

}  // namespace tada
