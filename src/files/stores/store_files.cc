#include "files/stores/store_files.h"

#include "files/format.h"
#include "files/postgres/postgres.h"
#include "files/stores/dataset.h"
#include "files/stores/folder_sink.h"

namespace tada {
namespace {

// A scheme that nobody here reads.
Status CheckScheme(const std::string& path) {
  const std::string_view scheme = SchemeOf(path);
  if (scheme.empty() || IsPostgres(path)) return Ok();
  return InvalidArgument("Unknown kind of address: {}", ShownPath(path))
      .WithHint("tada reads files, folders and postgresql://<host>/<database>?table=<name>.");
}

}  // namespace

Result<std::unique_ptr<Sink>> StoreFiles::OpenSink(const std::string& path, const SinkOptions& options) {
  TADA_CHECK_OK(CheckScheme(path));
  const bool parts = options.rows_per_file > 0 || !options.partition_by.empty();
  if (parts && (IsPostgres(path) || path == "-")) {
    return InvalidArgument("--{} is for folders of files: {}",
                           options.rows_per_file > 0 ? "rows-per-file" : "partition-by", ShownPath(path))
        .WithHint("Write to a folder: -o out/.");
  }
  if (IsPostgres(path)) return OpenPostgresSink(path, options.force);
  if (parts || path.ends_with('/')) return FolderSink::Open(files_, path, options);
  return files_.OpenSink(path, options);
}

Result<TableFile> StoreFiles::Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                                   Progress& progress) {
  TADA_CHECK_OK(CheckScheme(path));
  if (IsPostgres(path)) return ReadPostgres(path, options, workers, progress);
  if (IsDataset(path)) return ReadDataset(files_, path, options, workers, progress);
  return files_.Read(path, options, workers, progress);
}

Result<std::vector<std::string>> StoreFiles::Header(const std::string& path, const LayoutOptions& layout) {
  TADA_CHECK_OK(CheckScheme(path));
  if (IsPostgres(path)) return PostgresHeader(path);
  if (IsDataset(path)) return DatasetHeader(files_, path, layout);
  return files_.Header(path, layout);
}

Result<std::string> StoreFiles::Digest(const std::string& path) {
  if (IsPostgres(path)) return std::string();
  return IsDataset(path) ? DatasetDigest(files_, path) : files_.Digest(path);
}

Result<std::optional<std::vector<OutsideContent>>> StoreFiles::Outside(const std::string& path) {
  if (IsPostgres(path)) return std::optional(std::vector<OutsideContent>());
  return IsDataset(path) ? DatasetOutside(files_, path) : files_.Outside(path);
}

Status StoreFiles::Write(const Release& release, const WriteOptions& options, const Workers& workers,
                         Progress& progress, PendingFile& file) {
  return files_.Write(release, options, workers, progress, file);
}

}  // namespace tada
