#pragma once

// Typed cells of a Parquet file, by the entries of its dictionary pages: what a page numbers is not decoded to values first and
// hashed to numbers again.

#include <arrow/array.h>
#include <arrow/result.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>

#include <memory>
#include <vector>

namespace tada {

/// Whether all cells of a field, struct<lo,hi> or list<string>, are in dictionary pages and of types that Parquet stores as Arrow
/// has them.
bool HasDictionaryCells(const parquet::FileMetaData& metadata, const parquet::arrow::SchemaField& field);

/// The cells of one field in one row group. May throw parquet::ParquetException.
class ParquetCells {
 public:
  /// Pre: HasDictionaryCells().
  ParquetCells(parquet::RowGroupReader& group, const parquet::arrow::SchemaField& field);
  ~ParquetCells();

  /// The cells of the next rows, with dictionaries as bounds or elements; null at the end. Indices are not verified.
  arrow::Result<std::shared_ptr<arrow::Array>> Next();

 private:
  class Leaf;
  template <class Type>
  class TypedLeaf;
  static std::unique_ptr<Leaf> OpenLeaf(parquet::RowGroupReader& group, const parquet::arrow::SchemaField& field);
  arrow::Result<std::shared_ptr<arrow::Array>> NextIntervals();
  arrow::Result<std::shared_ptr<arrow::Array>> NextSets();

  const parquet::arrow::SchemaField& field_;
  std::vector<std::unique_ptr<Leaf>> leaves_;
};

}  // namespace tada
