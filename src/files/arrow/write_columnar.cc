// Parquet and Arrow files: blocks of rows become batches, each column taken from its distinct cells by index.

#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/cast.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/api.h>
#include <arrow/record_batch.h>
#include <arrow/util/base64.h>
#include <arrow/util/key_value_metadata.h>
#include <arrow/util/thread_pool.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <algorithm>

#include "files/arrow/coded_strings.h"
#include "files/arrow/typed_cells.h"
#include "files/write_parts.h"

namespace tada {
namespace {

constexpr size_t kBatchRows = 1 << 16;
constexpr int64_t kPagesAtOnce = 1 << 14;       // between two looks at how full a page is
constexpr size_t kGroupRows = 16 * kBatchRows;  // of a row group of Parquet

// A pending file as Arrow's output; keeps our own error, which names path and reason.
class PendingStream final : public arrow::io::OutputStream {
 public:
  explicit PendingStream(PendingFile& file) : file_(file) {}

  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, int64_t count) override {
    if (failure_.ok()) failure_ = file_.Write({static_cast<const char*>(data), static_cast<size_t>(count)});
    if (!failure_.ok()) return arrow::Status::IOError("write failed");
    position_ += count;
    return arrow::Status::OK();
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }

  /// The outcome of writing: our own error if there is one, else that of Arrow.
  Status Outcome(const arrow::Status& status) const {
    if (!failure_.ok()) return failure_;
    if (!status.ok()) return IoError("Cannot write {}: {}", file_.target(), status.message());
    return Ok();
  }

 private:
  PendingFile& file_;
  Status failure_;
  int64_t position_ = 0;
  bool closed_ = false;
};

class BatchMaker {
 public:
  static arrow::Result<BatchMaker> Make(const Release& release, CellForm cells, const Workers& workers) {
    BatchMaker maker(release, workers);
    std::vector<arrow::Status> failed(release.columns.size());
    maker.columns_.resize(release.columns.size());
    workers.For(release.columns.size(), [&](size_t i) {
      failed[i] = MakeDistinctCells(*release.table, release.columns[i], cells).Value(&maker.columns_[i]);
    });
    for (const arrow::Status& status : failed) ARROW_RETURN_NOT_OK(status);
    for (size_t i = 0; i < release.columns.size(); ++i) ARROW_RETURN_NOT_OK(maker.DropUnusedEntries(i));
    arrow::FieldVector fields;
    for (size_t i = 0; i < release.columns.size(); ++i) {
      fields.push_back(arrow::field(release.table->column(release.columns[i].source).name(), maker.columns_[i].type));
    }
    maker.schema_ = maker.batch_schema_ = arrow::schema(std::move(fields));
    return maker;
  }

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }
  /// The schema of the batches: that of the file, or after Code() with dictionaries where the file has strings.
  const std::shared_ptr<arrow::Schema>& batch_schema() const { return batch_schema_; }

  /// Makes batches with dictionaries of strings, a dictionary per row group.
  void Code() {
    arrow::FieldVector fields;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const bool as_written = columns_[i].cells->type()->Equals(*columns_[i].type);
      const auto type = as_written ? CodedType(*columns_[i].cells) : columns_[i].type;
      coded_.push_back(!type->Equals(*columns_[i].type));
      fields.push_back(schema_->field(static_cast<int>(i))->WithType(type));
    }
    batch_schema_ = arrow::schema(std::move(fields));
  }

  /// Calls begin() and then write(batch) for the rows of each row group, all in order.
  template <class Begin, class F>
  arrow::Status ForBatches(Progress& progress, Begin&& begin_group, F&& write) const {
    const size_t rows = release_.row_order.size();
    for (size_t first = 0; first < rows; first += kGroupRows) {
      const size_t end = std::min(rows, first + kGroupRows);
      ARROW_ASSIGN_OR_RAISE(const arrow::ArrayVector cells, CellsOf(first, end));
      ARROW_RETURN_NOT_OK(begin_group());
      for (size_t begin = first; begin < end; begin += kBatchRows) {
        const size_t count = std::min(kBatchRows, end - begin);
        ARROW_ASSIGN_OR_RAISE(auto arrays, ForColumns([&](size_t i) { return Rows(*cells[i], i, begin, count); }));
        ARROW_RETURN_NOT_OK(
            write(*arrow::RecordBatch::Make(batch_schema_, static_cast<int64_t>(count), std::move(arrays))));
        progress.Advance(count);
      }
    }
    return arrow::Status::OK();
  }

 private:
  using ArrayPtr = std::shared_ptr<arrow::Array>;

  template <class F>
  arrow::Result<arrow::ArrayVector> ForColumns(const F& make) const {
    arrow::ArrayVector arrays(columns_.size());
    std::vector<arrow::Status> failed(columns_.size());
    workers_.For(columns_.size(), [&](size_t i) { failed[i] = make(i).Value(&arrays[i]); });
    for (const arrow::Status& status : failed) ARROW_RETURN_NOT_OK(status);
    return arrays;
  }

  // The distinct cells from which the rows of a row group are taken.
  arrow::Result<arrow::ArrayVector> CellsOf(size_t begin, size_t end) const {
    return ForColumns([&](size_t i) -> arrow::Result<ArrayPtr> {
      if (coded_.empty() || !coded_[i]) return columns_[i].cells;
      return CodeCells(*columns_[i].cells, Used(i, begin, end));
    });
  }

  // Which distinct cells of a column some rows show.
  std::vector<bool> Used(size_t column, size_t begin, size_t end) const {
    std::vector<uint32_t> rows(end - begin);
    CellIndices(release_, release_.columns[column], begin, rows);
    std::vector<bool> used(static_cast<size_t>(columns_[column].cells->length()), false);
    for (const uint32_t cell : rows) used[cell] = true;
    return used;
  }

  BatchMaker(const Release& release, const Workers& workers) : release_(release), workers_(workers) {}

  // A dictionary has entries for all values of the table. Those of rows that are not released must not be in the file.
  arrow::Status DropUnusedEntries(size_t column) {
    DistinctCells& distinct = columns_[column];
    if (distinct.cells->type_id() != arrow::Type::DICTIONARY) return arrow::Status::OK();
    const auto& coded = static_cast<const arrow::DictionaryArray&>(*distinct.cells);
    const std::vector<bool> used = Used(column, 0, release_.row_order.size());
    arrow::Int64Builder entries, indices;
    for (int64_t i = 0; i < coded.length(); ++i) {
      if (!used[static_cast<size_t>(i)] || coded.IsNull(i)) {
        ARROW_RETURN_NOT_OK(indices.AppendNull());
        continue;
      }
      ARROW_RETURN_NOT_OK(indices.Append(entries.length()));
      ARROW_RETURN_NOT_OK(entries.Append(coded.GetValueIndex(i)));
    }
    if (entries.length() == coded.dictionary()->length()) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto kept, entries.Finish());
    ARROW_ASSIGN_OR_RAISE(const auto dictionary, arrow::compute::Take(*coded.dictionary(), *kept));
    ARROW_ASSIGN_OR_RAISE(const auto wide, indices.Finish());
    const auto& type = static_cast<const arrow::DictionaryType&>(*coded.type());
    ARROW_ASSIGN_OR_RAISE(const auto narrow, arrow::compute::Cast(*wide, type.index_type()));
    ARROW_ASSIGN_OR_RAISE(distinct.cells, arrow::DictionaryArray::FromArrays(coded.type(), narrow, dictionary));
    return arrow::Status::OK();
  }

  arrow::Result<ArrayPtr> Rows(const arrow::Array& cells, size_t column, size_t begin, size_t count) const {
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(static_cast<int64_t>(count * sizeof(uint32_t))));
    CellIndices(release_, release_.columns[column], begin,
                {reinterpret_cast<uint32_t*>(buffer->mutable_data()), count});
    const arrow::UInt32Array indices(static_cast<int64_t>(count), std::shared_ptr<arrow::Buffer>(std::move(buffer)));
    const auto& type = batch_schema_->field(static_cast<int>(column))->type();
    if (!coded_.empty() && coded_[column] && cells.type_id() == arrow::Type::LIST)
      return TakeLists(static_cast<const arrow::ListArray&>(cells), {indices.raw_values(), count});
    ARROW_ASSIGN_OR_RAISE(auto taken,
                          arrow::compute::Take(cells, indices, arrow::compute::TakeOptions::NoBoundsCheck()));
    if (taken->type()->Equals(*type)) return taken;
    return arrow::compute::Cast(*taken, type);
  }

  const Release& release_;
  const Workers& workers_;
  std::vector<DistinctCells> columns_;
  std::vector<bool> coded_;  // by column, whether its strings are handed on as dictionaries
  std::shared_ptr<arrow::Schema> schema_, batch_schema_;
};

// What Arrow's readers take the types from, as its writer has it.
arrow::Result<std::shared_ptr<arrow::KeyValueMetadata>> StoredSchema(const arrow::Schema& schema) {
  ARROW_ASSIGN_OR_RAISE(const auto bytes, arrow::ipc::SerializeSchema(schema));
  return arrow::key_value_metadata({"ARROW:schema"}, {arrow::util::base64_encode(bytes->ToString())});
}

arrow::Status WriteParquetTo(const std::shared_ptr<PendingStream>& stream, const Release& release, CellForm cells,
                             const Workers& workers, Progress& progress) {
  ARROW_ASSIGN_OR_RAISE(BatchMaker batches, BatchMaker::Make(release, cells, workers));
  batches.Code();
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(parquet::Compression::ZSTD)
                              ->max_row_group_length(kGroupRows)
                              ->write_batch_size(kPagesAtOnce)
                              ->build();
  const auto arrow_properties =
      parquet::ArrowWriterProperties::Builder().set_use_threads(workers.threads() > 1)->build();
  try {
    ARROW_ASSIGN_OR_RAISE(
        auto writer, parquet::arrow::FileWriter::Open(*batches.batch_schema(), arrow::default_memory_pool(), stream,
                                                      properties, arrow_properties));
    ARROW_ASSIGN_OR_RAISE(const auto stored, StoredSchema(*batches.schema()));
    ARROW_RETURN_NOT_OK(writer->AddKeyValueMetadata(stored));
    ARROW_RETURN_NOT_OK(batches.ForBatches(
        progress, [&] { return writer->NewBufferedRowGroup(); },
        [&](const arrow::RecordBatch& batch) { return writer->WriteRecordBatch(batch); }));
    return writer->Close();
  } catch (const parquet::ParquetException& exception) {
    return arrow::Status::IOError(exception.what());
  }
}

arrow::Status WriteArrowTo(const std::shared_ptr<PendingStream>& stream, const Release& release, CellForm cells,
                           const Workers& workers, Progress& progress) {
  ARROW_ASSIGN_OR_RAISE(const BatchMaker batches, BatchMaker::Make(release, cells, workers));
  ARROW_ASSIGN_OR_RAISE(const auto writer, arrow::ipc::MakeFileWriter(stream, batches.schema()));
  ARROW_RETURN_NOT_OK(batches.ForBatches(
      progress, [] { return arrow::Status::OK(); },
      [&](const arrow::RecordBatch& batch) { return writer->WriteRecordBatch(batch); }));
  return writer->Close();
}

}  // namespace

Status WriteParquet(const Release& release, CellForm cells, const Workers& workers, Progress& progress,
                    PendingFile& file) {
  if (workers.threads() > 1) TADA_ASSERT(arrow::SetCpuThreadPoolCapacity(workers.threads()).ok());
  const auto stream = std::make_shared<PendingStream>(file);
  return stream->Outcome(WriteParquetTo(stream, release, cells, workers, progress));
}

Status WriteArrow(const Release& release, CellForm cells, const Workers& workers, Progress& progress,
                  PendingFile& file) {
  const auto stream = std::make_shared<PendingStream>(file);
  return stream->Outcome(WriteArrowTo(stream, release, cells, workers, progress));
}

}  // namespace tada
