#pragma once

// Columns of a Parquet file by the entries of its dictionary pages: what a page numbers is not decoded to values first and hashed
// to numbers again.
//   level   what Parquet stores of each row, or of each element of a list: how much of it is there (its definition), and whether
//           it goes on with a list (its repetition).
//   entry   a value of a dictionary page, which levels that have a value show by its number.

#include <arrow/array.h>
#include <arrow/result.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tada {

/// Consecutive levels of a leaf: a column without parts, a bound of struct<lo,hi>, the elements of list<string>.
struct LeafLevels {
  std::span<const int16_t> definitions;
  std::span<const int16_t> repetitions;      ///< empty if nothing is repeated
  std::span<const int32_t> entries;          ///< of the levels that have a value, in order
  int16_t filled = 0;                        ///< the definition of those
  std::shared_ptr<arrow::Array> dictionary;  ///< what entries are numbers of
};

/// Whole rows of a field.
struct CellLevels {
  size_t rows = 0;
  /// Levels below have no bound, or no element: one below it is an empty list, others are nulls.
  int16_t present = 0;
  std::vector<LeafLevels> leaves;
};

/// Whether a field is one of values, of struct<lo,hi> or of list<string>, of types that Parquet stores as Arrow has them, and a row
/// group has all of it in dictionary pages.
bool HasDictionaryCells(const parquet::RowGroupMetaData& group, const parquet::arrow::SchemaField& field);

/// The cells of one field in one row group. May throw parquet::ParquetException.
class ParquetCells {
 public:
  /// Pre: HasDictionaryCells().
  ParquetCells(parquet::RowGroupReader& group, const parquet::arrow::SchemaField& field);
  ~ParquetCells();

  /// The next rows, which stay until the next call; nothing at the end. Entries and dictionaries are verified.
  arrow::Result<std::optional<CellLevels>> Next();

 private:
  class Leaf;
  template <class Type>
  class TypedLeaf;
  static std::unique_ptr<Leaf> OpenLeaf(parquet::RowGroupReader& group, const parquet::arrow::SchemaField& field);
  arrow::Result<CellLevels> NextLists();

  const parquet::arrow::SchemaField& field_;
  std::vector<std::unique_ptr<Leaf>> leaves_;
};

}  // namespace tada
