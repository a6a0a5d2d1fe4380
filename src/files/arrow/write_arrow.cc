// Arrow files: blocks of rows become batches, each column taken from its distinct cells by index.

#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/cast.h>
#include <arrow/ipc/api.h>
#include <arrow/record_batch.h>

#include <algorithm>

#include "files/arrow/pending_stream.h"
#include "files/arrow/typed_cells.h"
#include "files/write_parts.h"

namespace tada {
namespace {

constexpr size_t kBatchRows = 1 << 16;

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
  /// Calls write(batch) for all rows, in order.
  template <class F>
  arrow::Status ForBatches(Progress& progress, F&& write) const {
    const size_t rows = release_.row_order.size();
    for (size_t begin = 0; begin < rows; begin += kBatchRows) {
      const size_t count = std::min(kBatchRows, rows - begin);
      ARROW_ASSIGN_OR_RAISE(auto arrays, ForColumns([&](size_t i) { return Rows(i, begin, count); }));
      ARROW_RETURN_NOT_OK(write(*arrow::RecordBatch::Make(schema_, static_cast<int64_t>(count), std::move(arrays))));
      progress.Advance(count);
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

  // Which distinct cells of a column rows show.
  std::vector<bool> Used(size_t column) const {
    std::vector<uint32_t> rows(release_.row_order.size());
    CellIndices(release_, release_.columns[column], 0, rows);
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
    const std::vector<bool> used = Used(column);
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

  arrow::Result<ArrayPtr> Rows(size_t column, size_t begin, size_t count) const {
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

arrow::Status WriteArrowTo(const std::shared_ptr<PendingStream>& stream, const Release& release, CellForm cells,
                           const Workers& workers, Progress& progress) {
  ARROW_ASSIGN_OR_RAISE(const BatchMaker batches, BatchMaker::Make(release, cells, workers));
  ARROW_ASSIGN_OR_RAISE(const auto writer, arrow::ipc::MakeFileWriter(stream, batches.schema()));
  ARROW_RETURN_NOT_OK(
      batches.ForBatches(progress, [&](const arrow::RecordBatch& batch) { return writer->WriteRecordBatch(batch); }));
  return writer->Close();
}

}  // namespace

Status WriteArrow(const Release& release, CellForm cells, const Workers& workers, Progress& progress,
                  PendingFile& file) {
  const auto stream = std::make_shared<PendingStream>(file);
  return stream->Outcome(WriteArrowTo(stream, release, cells, workers, progress));
}

}  // namespace tada
