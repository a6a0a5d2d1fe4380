// Parquet and Arrow files: blocks of rows become batches, each column taken from its distinct cells by index.

#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/cast.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/api.h>
#include <arrow/record_batch.h>
#include <arrow/util/thread_pool.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <algorithm>

#include "files/arrow/typed_cells.h"
#include "files/write_parts.h"

namespace tada {
namespace {

constexpr size_t kBatchRows = 1 << 16;

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
    maker.schema_ = arrow::schema(std::move(fields));
    return maker;
  }

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }

  /// Calls write(batch) for all rows in order.
  template <class F>
  arrow::Status ForBatches(Progress& progress, F&& write) const {
    const size_t rows = release_.row_order.size();
    for (size_t begin = 0; begin < rows; begin += kBatchRows) {
      const size_t count = std::min(kBatchRows, rows - begin);
      arrow::ArrayVector arrays(columns_.size());
      std::vector<arrow::Status> failed(columns_.size());
      workers_.For(columns_.size(), [&](size_t i) { failed[i] = Rows(i, begin, count).Value(&arrays[i]); });
      for (const arrow::Status& status : failed) ARROW_RETURN_NOT_OK(status);
      ARROW_RETURN_NOT_OK(write(*arrow::RecordBatch::Make(schema_, static_cast<int64_t>(count), std::move(arrays))));
      progress.Advance(count);
    }
    return arrow::Status::OK();
  }

 private:
  BatchMaker(const Release& release, const Workers& workers) : release_(release), workers_(workers) {}

  // A dictionary has entries for all values of the table. Those of rows that are not released must not be in the file.
  arrow::Status DropUnusedEntries(size_t column) {
    DistinctCells& distinct = columns_[column];
    if (distinct.cells->type_id() != arrow::Type::DICTIONARY) return arrow::Status::OK();
    const auto& coded = static_cast<const arrow::DictionaryArray&>(*distinct.cells);
    std::vector<uint32_t> rows(release_.row_order.size());
    CellIndices(release_, release_.columns[column], 0, rows);
    std::vector<bool> used(static_cast<size_t>(coded.length()), false);
    for (const uint32_t cell : rows) used[cell] = true;
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

  arrow::Result<std::shared_ptr<arrow::Array>> Rows(size_t column, size_t begin, size_t count) const {
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(static_cast<int64_t>(count * sizeof(uint32_t))));
    CellIndices(release_, release_.columns[column], begin,
                {reinterpret_cast<uint32_t*>(buffer->mutable_data()), count});
    const arrow::UInt32Array indices(static_cast<int64_t>(count), std::shared_ptr<arrow::Buffer>(std::move(buffer)));
    const DistinctCells& distinct = columns_[column];
    ARROW_ASSIGN_OR_RAISE(auto taken,
                          arrow::compute::Take(*distinct.cells, indices, arrow::compute::TakeOptions::NoBoundsCheck()));
    if (taken->type()->Equals(*distinct.type)) return taken;
    return arrow::compute::Cast(*taken, distinct.type);
  }

  const Release& release_;
  const Workers& workers_;
  std::vector<DistinctCells> columns_;
  std::shared_ptr<arrow::Schema> schema_;
};

arrow::Status WriteParquetTo(const std::shared_ptr<PendingStream>& stream, const Release& release, CellForm cells,
                             const Workers& workers, Progress& progress) {
  ARROW_ASSIGN_OR_RAISE(const BatchMaker batches, BatchMaker::Make(release, cells, workers));
  const auto properties = parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build();
  const auto arrow_properties =
      parquet::ArrowWriterProperties::Builder().store_schema()->set_use_threads(workers.threads() > 1)->build();
  try {
    ARROW_ASSIGN_OR_RAISE(auto writer, parquet::arrow::FileWriter::Open(*batches.schema(), arrow::default_memory_pool(),
                                                                        stream, properties, arrow_properties));
    ARROW_RETURN_NOT_OK(
        batches.ForBatches(progress, [&](const arrow::RecordBatch& batch) { return writer->WriteRecordBatch(batch); }));
    return writer->Close();
  } catch (const parquet::ParquetException& exception) {
    return arrow::Status::IOError(exception.what());
  }
}

arrow::Status WriteArrowTo(const std::shared_ptr<PendingStream>& stream, const Release& release, CellForm cells,
                           const Workers& workers, Progress& progress) {
  ARROW_ASSIGN_OR_RAISE(const BatchMaker batches, BatchMaker::Make(release, cells, workers));
  ARROW_ASSIGN_OR_RAISE(const auto writer, arrow::ipc::MakeFileWriter(stream, batches.schema()));
  ARROW_RETURN_NOT_OK(
      batches.ForBatches(progress, [&](const arrow::RecordBatch& batch) { return writer->WriteRecordBatch(batch); }));
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
