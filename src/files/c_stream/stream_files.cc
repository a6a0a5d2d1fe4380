#include "files/c_stream/stream_files.h"

#include <map>

#include "files/byte_source.h"
#include "files/c_stream/read_stream.h"
#include "files/read_parts.h"

namespace tada {
namespace {

// How the columns of a stream came, by name.
struct StreamColumns final : StoredColumns {
  std::map<std::string, StoredValues> by_name;
  bool untyped = false;
};

Result<TableFile> ReadColumns(ArrowArrayStream& stream, const std::string& name, std::string_view format, bool untyped,
                              const ReadOptions& options, const Workers& workers, Progress& progress) {
  TADA_TRY(header, StreamHeader(stream, name));
  TADA_CHECK_OK(WantedColumns(header, options, name));
  TADA_TRY(read, ReadStream(stream, {options.columns, options.defaults, options.by_name, name}, workers, progress));
  auto stored = std::make_shared<StreamColumns>();
  stored->untyped = untyped;
  for (ColumnId id = 0; id < read.table.num_columns(); ++id) {
    stored->by_name.emplace(read.table.column(id).name(), std::move(read.stored[id]));
  }
  TableFile file;
  file.table = std::move(read.table);
  file.all_columns = std::move(read.all_columns);
  file.typed_cells = std::move(read.typed_cells);
  file.format = format;
  file.stored = std::move(stored);
  return file;
}

// What is known of how a table's columns came; nothing of those that came as text, or that the run made or changed.
std::vector<StoredValues> StoredOf(const Table& table, const StreamColumns* known,
                                   const std::set<std::string>& changed) {
  std::vector<StoredValues> stored(table.num_columns());
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const StoredValues* found = nullptr;
    if (known != nullptr && !changed.contains(table.column(id).name())) {
      const auto entry = known->by_name.find(table.column(id).name());
      if (entry != known->by_name.end()) found = &entry->second;
    }
    stored[id].inferred = found == nullptr || !found->leaf;
    if (stored[id].inferred) continue;
    stored[id].leaf = found->leaf;
    stored[id].bytes = found->bytes;
    TADA_ASSERT(ArrowSchemaDeepCopy(found->type.get(), stored[id].type.get()) == NANOARROW_OK);
  }
  return stored;
}

std::shared_ptr<const Batches> BatchesOf(const Release& release, const WriteOptions& options, const Workers& workers,
                                         Progress& progress) {
  const auto* known = dynamic_cast<const StreamColumns*>(options.stored);
  const std::vector<StoredValues> stored = StoredOf(*release.table, known, options.changed);
  return std::make_shared<const Batches>(
      MakeBatches(stored, release, options.cells, known == nullptr || known->untyped, workers, progress));
}

}  // namespace

Result<std::string> StreamFiles::Digest(const std::string& path) {
  TADA_CHECK_OK(InputFile::Open(path));
  return columnar_.Sha256(path);
}

Result<TableFile> StreamFiles::ReadColumnar(const std::string& path, Format format, const ReadOptions& options,
                                            const Workers& workers, Progress& progress) {
  TADA_TRY(input, InputFile::Open(path));
  TADA_TRY(stream, columnar_.Read(path, format));
  TADA_TRY(file, ReadColumns(*stream.get(), path, FormatName(format), false, options, workers, progress));
  TADA_CHECK_OK(input.CheckUnchanged());
  file.bytes = input.size();
  return file;
}

Result<std::vector<std::string>> StreamFiles::ColumnarHeader(const std::string& path, Format format) {
  TADA_CHECK_OK(InputFile::Open(path));
  return columnar_.Names(path, format);
}

Result<std::optional<std::vector<OutsideContent>>> StreamFiles::ColumnarOutside(const std::string& /*path*/,
                                                                                Format /*format*/) {
  return std::optional<std::vector<OutsideContent>>();
}

Status StreamFiles::WriteColumnar(const Release& release, Format format, const WriteOptions& options,
                                  const Workers& workers, Progress& progress, PendingFile& file) {
  return columnar_.Write(BatchesOf(release, options, workers, progress), format, file);
}

StreamSource::StreamSource(nanoarrow::UniqueArrayStream stream, std::string name, std::string format, bool untyped)
    : stream_(std::move(stream)), name_(std::move(name)), format_(std::move(format)), untyped_(untyped) {}

Result<std::vector<std::string>> StreamSource::Header(const LayoutOptions&) {
  return StreamHeader(*stream_.get(), name_);
}

Result<TableFile> StreamSource::Read(const ReadOptions& options, const Workers& workers, Progress& progress) {
  return ReadColumns(*stream_.get(), name_, format_, untyped_, options, workers, progress);
}

Status BatchesSink::Write(const Release& release, const WriteOptions& options, const Workers& workers,
                          Progress& progress) {
  written_ = BatchesOf(release, options, workers, progress);
  return Ok();
}

Result<Table> BatchesSink::ReadBack(const ReadOptions& options, const Workers& workers) {
  TADA_TRY(reader, StreamReader::Open(*written_->schema.get(),
                                      {options.columns, options.defaults, options.by_name, "the release"}));
  for (const nanoarrow::UniqueArray& batch : written_->arrays) TADA_CHECK_OK(reader.Add(*batch.get(), workers));
  TADA_TRY(read, reader.Finish(workers));
  return std::move(read.table);
}

Status BatchesSink::Publish() {
  published_ = written_;
  return Ok();
}

}  // namespace tada
