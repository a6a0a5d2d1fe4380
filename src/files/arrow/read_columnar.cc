// Parquet and Arrow files. Parquet is decoded a row group of a few columns at a time, Arrow a few batches at a time, so that never
// more than a part of the file is in memory beside the finished texts. Every array is checked before a byte of it is
// trusted.

#include <arrow/array.h>
#include <arrow/chunked_array.h>
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <numeric>
#include <span>
#include <unordered_set>

#include "files/arrow/arrow_types.h"
#include "files/arrow/column_feeder.h"
#include "files/arrow/parquet_cells.h"
#include "files/byte_source.h"
#include "files/read_parts.h"

namespace tada {
namespace {

constexpr int64_t kRowsAtOnce = 1 << 18;

Error Damaged(const std::string& path, const std::string& format, std::string_view why) {
  return DataError("Damaged or not {}: {}: {}", format, path, why).WithHint("Make the file again, or copy it again.");
}

Result<std::shared_ptr<arrow::io::ReadableFile>> ArrowFile(const InputFile& file) {
  const int copy = ::dup(file.descriptor());  // Arrow closes what it is given
  if (copy < 0) return DataError("Cannot read {}: {}", file.path(), std::strerror(errno));
  auto opened = arrow::io::ReadableFile::Open(copy);
  if (!opened.ok()) return DataError("Cannot read {}: {}", file.path(), opened.status().message());
  return *opened;
}

// Runs what Arrow or Parquet decode. Their own errors come as statuses, some damage still as these exceptions.
template <class F>
auto Decode(const std::string& path, const std::string& format, F&& f) -> Result<std::decay_t<decltype(*f())>> {
  try {
    auto result = f();
    if (result.ok()) return *std::move(result);
    return Damaged(path, format, result.status().message());
  } catch (const parquet::ParquetException& exception) {
    return Damaged(path, format, exception.what());
  } catch (const std::bad_alloc&) {
    return Damaged(path, format, "it asks for more memory than there is");
  } catch (const std::length_error&) {
    return Damaged(path, format, "it asks for more memory than there is");
  }
}

Status CheckNames(const arrow::Schema& schema, const std::string& path) {
  std::unordered_set<std::string_view> seen;
  for (const auto& field : schema.fields()) {
    if (!seen.insert(field->name()).second) {
      return DataError("{}: two columns have the name '{}'", path, field->name()).WithHint("Rename one of them.");
    }
  }
  return Ok();
}

// The columns of a file that are wanted, with a feeder each.
struct Feeders {
  std::vector<int> fields;  // in the file
  std::vector<std::unique_ptr<ColumnFeeder>> feeders;
};

Result<Feeders> MakeFeeders(const arrow::Schema& schema, const ReadOptions& options, const std::string& path) {
  TADA_CHECK_OK(CheckNames(schema, path));
  TADA_TRY(wanted, WantedColumns(schema.field_names(), options, path));
  Feeders made;
  for (int i = 0; i < schema.num_fields(); ++i) {
    if (!wanted[static_cast<size_t>(i)]) continue;
    const arrow::Field& field = *schema.field(i);
    TADA_TRY(feeder, ColumnFeeder::Make(field, OptionsOf(field.name(), options), path));
    made.fields.push_back(i);
    made.feeders.push_back(std::move(feeder));
  }
  return made;
}

Result<TableFile> FinishFile(Feeders made, const arrow::Schema& schema, const InputFile& input, Format format,
                             const Workers& workers) {
  TADA_CHECK_OK(input.CheckUnchanged());
  std::vector<ColumnBuilder> builders;
  for (auto& feeder : made.feeders) builders.push_back(std::move(feeder->builder()));
  made.feeders.clear();
  arrow::default_memory_pool()->ReleaseUnused();
  for (const ColumnBuilder& builder : builders) {
    if (builder.num_rows() != builders.front().num_rows()) {
      return Damaged(input.path(), std::string(FormatName(format)), "its columns differ in length");
    }
  }
  TADA_TRY(table, FinishColumns(std::move(builders), workers));
  TableFile file;
  file.table = std::move(table);
  file.all_columns = schema.field_names();
  for (const int i : made.fields) {
    const arrow::Field& field = *schema.field(i);
    if (IsIntervalType(*field.type())) file.typed_cells[field.name()] = Kind::kNumeric;
    if (IsSetType(*field.type())) file.typed_cells[field.name()] = Kind::kCategorical;
  }
  file.format = FormatName(format);
  file.bytes = input.size();
  return file;
}

// Feeds chunks[i] to feeders[fields[i]], several columns at a time.
Status FeedAll(Feeders& made, std::span<const size_t> fields, std::vector<arrow::ArrayVector> chunks,
               const Workers& workers) {
  std::vector<Status> failed(chunks.size());
  workers.For(chunks.size(), [&](size_t i) {
    for (std::shared_ptr<arrow::Array>& chunk : chunks[i]) {
      failed[i] = made.feeders[fields[i]]->Feed(*chunk);
      if (!failed[i].ok()) return;
      chunk.reset();
    }
  });
  for (Status& status : failed) TADA_CHECK_OK(std::move(status));
  return Ok();
}

// Whether a leaf has texts that are written by what they share with the one before, of which Arrow makes no dictionaries.
bool HasDeltaPages(const parquet::FileMetaData& metadata, int leaf) {
  for (int group = 0; group < metadata.num_row_groups(); ++group) {
    const auto chunk = metadata.RowGroup(group)->ColumnChunk(leaf);
    for (const auto encoding : chunk->encodings()) {
      if (encoding == parquet::Encoding::DELTA_BYTE_ARRAY || encoding == parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY)
        return true;
    }
  }
  return false;
}

// A reader that several threads may ask for row groups: it keeps nothing of what it reads, and has no threads of its own.
Result<std::shared_ptr<parquet::arrow::FileReader>> OpenParquet(const InputFile& input, bool dictionaries) {
  TADA_TRY(file, ArrowFile(input));
  using Reader = std::shared_ptr<parquet::arrow::FileReader>;
  return Decode(input.path(), "Parquet", [&]() -> arrow::Result<Reader> {
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(file));
    parquet::ArrowReaderProperties properties(false);
    properties.set_pre_buffer(false);
    const auto metadata = builder.raw_reader()->metadata();
    const auto* schema = metadata->schema();
    for (int leaf = 0; dictionaries && leaf < schema->num_columns(); ++leaf) {
      // Strings come as dictionaries, so that each is hashed once per dictionary; those inside lists and structs cannot.
      const auto* column = schema->Column(leaf);
      const bool text = column->physical_type() == parquet::Type::BYTE_ARRAY && column->max_repetition_level() == 0 &&
                        column->path()->ToDotVector().size() == 1 && column->logical_type()->is_string() &&
                        !HasDeltaPages(*metadata, leaf);
      properties.set_read_dictionary(leaf, text);
    }
    ARROW_ASSIGN_OR_RAISE(auto reader, builder.properties(properties)->Build());
    return Reader(std::move(reader));
  });
}

Result<std::shared_ptr<arrow::Schema>> ParquetSchema(parquet::arrow::FileReader& reader, const std::string& path) {
  return Decode(path, "Parquet", [&]() -> arrow::Result<std::shared_ptr<arrow::Schema>> {
    std::shared_ptr<arrow::Schema> schema;
    ARROW_RETURN_NOT_OK(reader.GetSchema(&schema));
    return schema;
  });
}

// The leaves of a field, in Parquet's count of columns.
void AddLeaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.column_index >= 0) leaves.push_back(field.column_index);
  for (const auto& child : field.children) AddLeaves(child, leaves);
}

// Feeds a row group of a field by the entries of its dictionary pages.
Status FeedCells(parquet::ParquetFileReader& reader, int group, const parquet::arrow::SchemaField& field,
                 const std::string& path, ColumnFeeder& feeder) {
  using Rows = std::shared_ptr<parquet::RowGroupReader>;
  TADA_TRY(rows, Decode(path, "Parquet", [&]() -> arrow::Result<Rows> { return reader.RowGroup(group); }));
  using Cells = std::shared_ptr<ParquetCells>;
  TADA_TRY(cells, Decode(path, "Parquet",
                         [&]() -> arrow::Result<Cells> { return std::make_shared<ParquetCells>(*rows, field); }));
  size_t fed = 0;
  for (;;) {
    TADA_TRY(next, Decode(path, "Parquet", [&] { return cells->Next(); }));
    if (!next) break;
    fed += next->rows;
    TADA_CHECK_OK(feeder.Feed(*next));
  }
  if (fed == static_cast<size_t>(rows->metadata()->num_rows())) return Ok();
  return Damaged(path, "Parquet", "a column has not as many rows as it says");
}

// The same of the values that Arrow decodes.
Status FeedValues(parquet::arrow::FileReader& reader, int group, const parquet::arrow::SchemaField& field,
                  const std::string& path, ColumnFeeder& feeder) {
  std::vector<int> leaves;
  AddLeaves(field, leaves);
  TADA_TRY(table, Decode(path, "Parquet", [&] { return reader.ReadRowGroup(group, leaves); }));
  if (table->num_columns() != 1) return Damaged(path, "Parquet", "a column is not there");
  if (table->num_rows() != reader.parquet_reader()->metadata()->RowGroup(group)->num_rows())
    return Damaged(path, "Parquet", "a column has not as many rows as it says");
  for (const auto& chunk : table->column(0)->chunks()) TADA_CHECK_OK(feeder.Feed(*chunk));
  return Ok();
}

Status FeedField(parquet::arrow::FileReader& reader, int field, const std::string& path, ColumnFeeder& feeder) {
  const parquet::arrow::SchemaField& place = reader.manifest().schema_fields[static_cast<size_t>(field)];
  for (int group = 0; group < reader.num_row_groups(); ++group) {
    TADA_TRY(coded, Decode(path, "Parquet", [&]() -> arrow::Result<bool> {
               return HasDictionaryCells(*reader.parquet_reader()->metadata()->RowGroup(group), place);
             }));
    TADA_CHECK_OK(coded ? FeedCells(*reader.parquet_reader(), group, place, path, feeder)
                        : FeedValues(reader, group, place, path, feeder));
  }
  return Ok();
}

using Batch = std::shared_ptr<arrow::RecordBatch>;

// An Arrow file in either form: with a directory at its end, or as a stream.
class BatchReader {
 public:
  static Result<BatchReader> Open(const InputFile& input, const arrow::ipc::IpcReadOptions& options) {
    BatchReader reader;
    TADA_TRY(file, ArrowFile(input));
    char magic[6] = {};
    const ssize_t got = ::pread(input.descriptor(), magic, sizeof magic, 0);
    const std::string_view start(magic, got > 0 ? static_cast<size_t>(got) : 0);
    if (start.starts_with("FEA1"))
      return Damaged(input.path(), "Arrow", "Feather version 1, which is not an Arrow file");
    if (start == "ARROW1") {
      TADA_TRY(opened,
               Decode(input.path(), "Arrow", [&] { return arrow::ipc::RecordBatchFileReader::Open(file, options); }));
      reader.file_ = std::move(opened);
    } else {
      TADA_TRY(opened,
               Decode(input.path(), "Arrow", [&] { return arrow::ipc::RecordBatchStreamReader::Open(file, options); }));
      reader.stream_ = std::move(opened);
    }
    return reader;
  }

  /// The schema of all columns of the file, also of those that are not read.
  std::shared_ptr<arrow::Schema> schema() const { return file_ ? file_->schema() : stream_->schema(); }
  /// The next batch; null at the end.
  arrow::Result<Batch> Next() {
    if (stream_) return stream_->Next();
    if (next_ == file_->num_record_batches()) return Batch();
    return file_->ReadRecordBatch(next_++);
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> stream_;
  int next_ = 0;
};

}  // namespace

Result<TableFile> ReadParquet(const std::string& path, const ReadOptions& options, const Workers& workers,
                              Progress& progress) {
  TADA_TRY(input, InputFile::Open(path));
  // Once as the file says its types are, for the types; once with dictionaries, for the values.
  TADA_TRY(plain, OpenParquet(input, false));
  TADA_TRY(schema, ParquetSchema(*plain, path));
  TADA_TRY(made, MakeFeeders(*schema, options, path));
  TADA_TRY(reader, OpenParquet(input, true));
  progress.Begin("read", made.fields.size());
  std::vector<Status> failed(made.fields.size());
  workers.For(made.fields.size(), [&](size_t i) {
    failed[i] = FeedField(*reader, made.fields[i], path, *made.feeders[i]);
    progress.Advance(1);
  });
  for (Status& status : failed) TADA_CHECK_OK(std::move(status));
  return FinishFile(std::move(made), *schema, input, Format::kParquet, workers);
}

Result<TableFile> ReadArrow(const std::string& path, const ReadOptions& options, const Workers& workers,
                            Progress& progress) {
  TADA_TRY(input, InputFile::Open(path));
  auto ipc = arrow::ipc::IpcReadOptions::Defaults();
  ipc.use_threads = workers.threads() > 1;
  TADA_TRY(header, BatchReader::Open(input, ipc));
  const auto schema = header.schema();
  TADA_TRY(made, MakeFeeders(*schema, options, path));
  TADA_CHECK_OK(input.Rewind());
  ipc.included_fields = made.fields;
  TADA_TRY(reader, BatchReader::Open(input, ipc));
  progress.Begin("read", 0);
  std::vector<size_t> all(made.fields.size());
  std::iota(all.begin(), all.end(), size_t{0});
  for (bool more = !made.fields.empty(); more;) {
    workers.Poll();
    std::vector<arrow::ArrayVector> chunks(made.fields.size());
    for (int64_t rows = 0; rows < kRowsAtOnce;) {
      TADA_TRY(batch, Decode(path, "Arrow", [&] { return reader.Next(); }));
      more = batch != nullptr;
      if (!more) break;
      if (static_cast<size_t>(batch->num_columns()) != chunks.size())
        return Damaged(path, "Arrow", "a column is not there");
      for (size_t i = 0; i < chunks.size(); ++i) chunks[i].push_back(batch->column(static_cast<int>(i)));
      rows += batch->num_rows();
    }
    TADA_CHECK_OK(FeedAll(made, all, std::move(chunks), workers));
  }
  return FinishFile(std::move(made), *schema, input, Format::kArrow, workers);
}

Result<std::vector<std::string>> ReadParquetHeader(const std::string& path) {
  TADA_TRY(input, InputFile::Open(path));
  TADA_TRY(reader, OpenParquet(input, false));
  TADA_TRY(schema, ParquetSchema(*reader, path));
  TADA_CHECK_OK(CheckNames(*schema, path));
  return schema->field_names();
}

Result<std::vector<std::string>> ReadArrowHeader(const std::string& path) {
  TADA_TRY(input, InputFile::Open(path));
  TADA_TRY(reader, BatchReader::Open(input, arrow::ipc::IpcReadOptions::Defaults()));
  const auto schema = reader.schema();
  TADA_CHECK_OK(CheckNames(*schema, path));
  return schema->field_names();
}

}  // namespace tada
