#include "files/files.h"

#include <filesystem>

#include "files/format.h"

namespace tada {

FileSource::FileSource(Files& files, std::string path, std::string name)
    : files_(files), path_(std::move(path)), name_(name.empty() ? ShownPath(path_) : std::move(name)) {}

Result<std::vector<std::string>> FileSource::Header(const LayoutOptions& layout) {
  return files_.Header(path_, layout);
}

Result<TableFile> FileSource::Read(const ReadOptions& options, const Workers& workers, Progress& progress) {
  read_ = Now();
  return files_.Read(path_, options, workers, progress);
}

FileSource::State FileSource::Now() const {
  std::error_code ignored;
  return {std::filesystem::last_write_time(path_, ignored), std::filesystem::file_size(path_, ignored)};
}

Result<std::string> FileSource::Digest() {
  if (path_ == "-") return std::string();
  TADA_TRY(digest, files_.Digest(path_));
  if (!read_ || Now() == *read_) return digest;
  return DataError("Input changed while it was read: {}", name_).WithHint("Run again when nobody writes to the file.");
}

Result<std::optional<std::vector<OutsideContent>>> FileSource::Outside() {
  if (path_ == "-") return std::optional(std::vector<OutsideContent>());
  return files_.Outside(path_);
}

// Of a list every file, and of a database the query too: their names leave them out.
std::string FileSource::Stamp() const {
  std::string stamp = fmt::format("{} {}", name_, Now().written.time_since_epoch().count());
  if (const std::string_view query = QueryOf(path_); !query.empty()) stamp += fmt::format(" {}", query);
  if (const std::vector<std::string> list = ListOfPath(path_); list.size() > 1) {
    for (const std::string& path : list) stamp += "\n" + FileSource(files_, path).Stamp();
  }
  return stamp;
}

Result<std::unique_ptr<Sink>> Files::OpenSink(const std::string& path, const SinkOptions& options) {
  if (options.rows_per_file > 0 || !options.partition_by.empty() || path.ends_with('/')) {
    return InvalidArgument("Folders of parts are written by the program alone: {}", path).WithHint("Name a file.");
  }
  TADA_TRY(file, FileSink::Open(*this, path, options.force));
  return std::unique_ptr<Sink>(std::make_unique<FileSink>(std::move(file)));
}

Result<FileSink> FileSink::Open(Files& files, const std::string& path, bool force) {
  TADA_CHECK_OK(OutputFormatOf(path));
  TADA_TRY(file, PendingFile::Open(path, force));
  return FileSink(files, std::move(file));
}

std::string FileSink::folder() const {
  const std::filesystem::path parent = std::filesystem::path(file_.path()).parent_path();
  return parent.empty() ? "." : parent.string();
}

Status FileSink::Write(const Release& release, const WriteOptions& options, const Workers& workers,
                       Progress& progress) {
  return files_.Write(release, options, workers, progress, file_);
}

Result<Table> FileSink::ReadBack(const ReadOptions& options, const Workers& workers) {
  NoProgress silent;
  TADA_TRY(read, files_.Read(file_.path(), options, workers, silent));
  return std::move(read.table);
}

}  // namespace tada
