#include "files/arrow/pages/parquet_file.h"

#include <arrow/ipc/api.h>
#include <arrow/util/base64.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/file_writer.h>

#include <deque>

namespace tada {

ParquetFile::ParquetFile(std::shared_ptr<arrow::io::OutputStream> stream, std::vector<Column> columns)
    : stream_(std::move(stream)),
      columns_(std::move(columns)),
      properties_(parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build()) {}

arrow::Result<ParquetFile> ParquetFile::Open(std::shared_ptr<arrow::io::OutputStream> stream,
                                             std::vector<Column> columns) {
  ParquetFile file(std::move(stream), std::move(columns));
  arrow::FieldVector fields;
  for (const Column& column : file.columns_) fields.push_back(column.field);
  const arrow::Schema schema(std::move(fields));
  ARROW_RETURN_NOT_OK(parquet::arrow::ToParquetSchema(&schema, *file.properties_, &file.schema_));
  ARROW_ASSIGN_OR_RAISE(const auto bytes, arrow::ipc::SerializeSchema(schema));
  file.stored_ = arrow::key_value_metadata({"ARROW:schema"}, {arrow::util::base64_encode(bytes->ToString())});
  file.metadata_ = parquet::FileMetaDataBuilder::Make(file.schema_.get(), file.properties_);
  ARROW_RETURN_NOT_OK(file.stream_->Write("PAR1", 4));
  return file;
}

arrow::Status ParquetFile::Write(size_t rows, const std::function<std::vector<CellRun>(size_t)>& runs_of,
                                 const Workers& workers) {
  parquet::RowGroupMetaDataBuilder& group = *metadata_->AppendRowGroup();
  std::vector<std::deque<LeafWriter>> writers(columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    for (const LeafCells& leaf : columns_[i].leaves)
      writers[i].emplace_back(leaf, *group.NextColumnChunk(), stream_, *properties_);
  }
  std::vector<arrow::Status> failed(columns_.size());
  workers.For(columns_.size(), [&](size_t i) {
    const std::vector<CellRun> runs = runs_of(i);
    for (LeafWriter& writer : writers[i]) failed[i] &= writer.Write(runs);
  });
  for (const arrow::Status& status : failed) ARROW_RETURN_NOT_OK(status);
  int64_t bytes = 0;
  for (auto& leaves : writers) {
    for (LeafWriter& writer : leaves) bytes += writer.Close();
  }
  group.set_num_rows(static_cast<int64_t>(rows));
  group.Finish(bytes, num_groups_++);
  return arrow::Status::OK();
}

void ParquetFile::Close() { parquet::WriteFileMetaData(*metadata_->Finish(stored_), stream_.get()); }

}  // namespace tada
