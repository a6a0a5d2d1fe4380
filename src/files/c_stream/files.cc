#include "files/c_stream/files.h"

#include "files/byte_source.h"
#include "files/c_stream/read_stream.h"
#include "files/csv/csv_header.h"
#include "files/read_parts.h"
#include "files/write_parts.h"

namespace tada {
namespace {

ColumnarFiles* columnar_files = nullptr;
thread_local const Frames* frames_in_reach = nullptr;

// How the columns of the table that this thread read last came, by name: a release of it keeps their types. A table has no
// room for that, since nothing between reading and writing needs it.
thread_local std::map<std::string, StoredValues> last_stored;

ColumnarFiles& Columnar() {
  TADA_ASSERT(columnar_files != nullptr);
  return *columnar_files;
}

const std::shared_ptr<const Batches>* FindFrame(const std::string& path) {
  if (frames_in_reach == nullptr) return nullptr;
  const auto found = frames_in_reach->find(path);
  return found == frames_in_reach->end() ? nullptr : &found->second;
}

Result<TableFile> ReadColumns(ArrowArrayStream& stream, const std::string& name, std::string_view format,
                              const ReadOptions& options, const Workers& workers, Progress& progress) {
  TADA_TRY(header, StreamHeader(stream, name));
  TADA_CHECK_OK(WantedColumns(header, options, name));
  TADA_TRY(read, ReadStream(stream, {options.columns, options.defaults, options.by_name, name}, workers, progress));
  last_stored.clear();
  for (ColumnId id = 0; id < read.table.num_columns(); ++id) {
    last_stored.emplace(read.table.column(id).name(), std::move(read.stored[id]));
  }
  TableFile file;
  file.table = std::move(read.table);
  file.all_columns = std::move(read.all_columns);
  file.format = format;
  return file;
}

// What is known of how a table's columns came; nothing of those that came as text.
std::vector<StoredValues> StoredOf(const Table& table) {
  std::vector<StoredValues> stored(table.num_columns());
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const auto found = last_stored.find(table.column(id).name());
    stored[id].inferred = found == last_stored.end() || !found->second.leaf;  // a column that the run made
    if (stored[id].inferred) continue;
    if (found->second.bytes.size() != found->second.leaf->width * table.column(id).num_codes()) continue;
    stored[id].leaf = found->second.leaf;
    stored[id].bytes = found->second.bytes;
    TADA_ASSERT(ArrowSchemaDeepCopy(found->second.type.get(), stored[id].type.get()) == NANOARROW_OK);
  }
  return stored;
}

}  // namespace

void SetColumnarFiles(ColumnarFiles* files) { columnar_files = files; }

Result<Batches> HoldStream(ArrowArrayStream& stream, const std::string& name) {
  Batches held;
  ArrowError error;
  const auto failed = [&] { return FailedStream(name, error.message); };
  if (ArrowArrayStreamGetSchema(&stream, held.schema.get(), &error) != NANOARROW_OK) return failed();
  for (;;) {
    nanoarrow::UniqueArray batch;
    if (ArrowArrayStreamGetNext(&stream, batch.get(), &error) != NANOARROW_OK) return failed();
    if (batch->release == nullptr) return held;
    held.arrays.push_back(std::move(batch));
  }
}

FramesInReach::FramesInReach(const Frames& frames) {
  TADA_ASSERT(frames_in_reach == nullptr);
  frames_in_reach = &frames;
}
FramesInReach::~FramesInReach() { frames_in_reach = nullptr; }

Result<TableFile> ReadTable(const std::string& path, const ReadOptions& options, const Workers& workers,
                            Progress& progress) {
  if (const auto* frame = FindFrame(path)) {
    nanoarrow::UniqueArrayStream stream;
    ExportStream(*frame, stream.get());
    return ReadColumns(*stream.get(), path, "arrow", options, workers, progress);
  }
  TADA_TRY(format, FormatOf(path));
  if (format == Format::kParquet || format == Format::kArrow) {
    TADA_TRY(input, InputFile::Open(path));
    TADA_TRY(stream, Columnar().Read(path, format));
    TADA_TRY(file, ReadColumns(*stream.get(), path, FormatName(format), options, workers, progress));
    TADA_CHECK_OK(input.CheckUnchanged());
    file.bytes = input.size();
    return file;
  }
  last_stored.clear();
  return ReadCsv(path, format, options, workers, progress);
}

Result<std::vector<std::string>> ReadHeader(const std::string& path, std::optional<char> delimiter) {
  if (const auto* frame = FindFrame(path)) {
    nanoarrow::UniqueArrayStream stream;
    ExportStream(*frame, stream.get());
    return StreamHeader(*stream.get(), path);
  }
  TADA_TRY(format, FormatOf(path));
  if (format == Format::kParquet || format == Format::kArrow) {
    TADA_CHECK_OK(InputFile::Open(path));
    return Columnar().Names(path, format);
  }
  TADA_TRY(source, OpenBytes(path, format));
  TADA_TRY(header, ReadCsvHeader(*source, InputName(path), delimiter));
  return std::move(header.names);
}

Result<std::string> FileSha256(const std::string& path) {
  TADA_CHECK_OK(InputFile::Open(path));
  return Columnar().Sha256(path);
}

Status WriteRelease(const Release& release, const WriteOptions& options, const Workers& workers, Progress& progress,
                    PendingFile& file) {
  TADA_TRY(format, FormatOf(file.target()));
  progress.Begin("write", release.row_order.size());
  if (format == Format::kCsv || format == Format::kCsvGz) {
    TADA_CHECK_OK(WriteCsv(release, options.delimiter, format == Format::kCsvGz, workers, progress, file));
  } else {
    const std::vector<StoredValues> stored = StoredOf(*release.table);
    const auto batches = std::make_shared<const Batches>(
        MakeBatches(stored, release, options.typed_cells, last_stored.empty(), workers, progress));
    TADA_CHECK_OK(Columnar().Write(batches, format, file));
  }
  return file.Sync();
}

}  // namespace tada
