#include "files/stores/store_files.h"

#include <stdlib.h>

#include <filesystem>

#include "base/option_mark.h"
#include "files/format.h"
#include "files/postgres/postgres.h"
#include "files/published.h"
#include "files/stores/dataset.h"
#include "files/stores/folder_sink.h"
#include "files/stores/remote_sink.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

// An error of a copy is one of what it is a copy of.
template <class T>
Result<T> Named(Result<T> result, const std::string& local, const std::string& path) {
  if (result.ok() || local == path) return result;
  Error error = std::move(result).error();
  for (std::string* text : {&error.message, &error.hint}) {
    for (size_t at; (at = text->find(local)) != std::string::npos;) text->replace(at, local.size(), ShownPath(path));
  }
  return error;
}

// Whether a path names a folder, by its slash; what stands behind a question mark is no part of an address's name.
bool EndsInSlash(const std::string& path) {
  return (SchemeOf(path).empty() ? path : path.substr(0, path.find('?'))).ends_with('/');
}

}  // namespace

// A file, or a folder of files that is removed at the end.
struct StoreFiles::Copy {
  std::vector<PendingFile> files;
  std::string folder, path;
  ~Copy() {
    std::error_code ignored;
    if (!folder.empty()) fs::remove_all(folder, ignored);
  }

  // What lies below a folder of the store, under the same names.
  Status FetchFolder(Remote& remote, const std::string& address) {
    TADA_TRY(names, remote.List(address));
    TADA_TRY(beside, CopyPath(address));
    folder = beside + "-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) return IoError("No room for a copy: {}", beside);
    path = folder;
    for (const std::string& name : names) {
      std::error_code failed;
      const fs::path target = fs::path(folder) / name;
      if (name.starts_with('/') || name.find("..") != std::string::npos)
        return DataError("{}: a name that leads elsewhere: {}", ShownPath(address), name);
      fs::create_directories(target.parent_path(), failed);
      TADA_TRY(file, PendingFile::Open(target.string(), false));
      TADA_CHECK_OK(remote.Fetch(address, name, file.descriptor()));
      TADA_CHECK_OK(file.Sync());
      TADA_CHECK_OK(file.Publish());
      ForgetPublished(target.string());
    }
    return Ok();
  }

  Status FetchFile(Remote& remote, const std::string& address) {
    TADA_TRY(beside, CopyPath(address));
    TADA_TRY(file, PendingFile::Open(beside, true));
    TADA_CHECK_OK(remote.Fetch(address, "", file.descriptor()));
    path = file.path();
    files.push_back(std::move(file));
    return Ok();
  }
};

StoreFiles::StoreFiles(Files& files, Remote* remote) : files_(files), remote_(remote) {}
StoreFiles::~StoreFiles() = default;

bool StoreFiles::IsRemote(const std::string& path) const {
  const std::string_view scheme = SchemeOf(path);
  return remote_ != nullptr && !scheme.empty() && remote_->Knows(scheme);
}

Status StoreFiles::CheckScheme(const std::string& path) const {
  if (SchemeOf(path).empty() || IsPostgres(path) || IsRemote(path)) return Ok();
  return InvalidArgument("Unknown kind of address: {}", ShownPath(path))
      .WithHint(remote_ == nullptr
                    ? "Here are read files, folders and postgresql://<host>/<database>?table=<name>."
                    : "Known are postgresql://<host>/<database>?table=<name>, s3://, gs://, abfs:// and hdfs://.");
}

Result<std::string> StoreFiles::Local(const std::string& path) {
  TADA_CHECK_OK(CheckScheme(path));
  if (!IsRemote(path)) return path;
  std::unique_ptr<Copy>& copy = copies_[path];
  if (copy != nullptr) return copy->path;
  auto made = std::make_unique<Copy>();
  TADA_CHECK_OK(EndsInSlash(path) ? made->FetchFolder(*remote_, path) : made->FetchFile(*remote_, path));
  copy = std::move(made);
  return copy->path;
}

Result<std::unique_ptr<Sink>> StoreFiles::OpenSink(const std::string& path, const SinkOptions& options) {
  TADA_CHECK_OK(CheckScheme(path));
  const bool folder = options.rows_per_file > 0 || !options.partition_by.empty() || EndsInSlash(path);
  if (folder && (IsPostgres(path) || IsRemote(path) || path == "-")) {
    return InvalidArgument("A folder of parts is written to a disk: {}", ShownPath(path))
        .WithHint(IsRemote(path) ? "Several objects of a store cannot appear together. Write one object, or a folder "
                                   "on a disk and copy it."
                                 : "Leave " TADA_OPTION("rows-per-file") " and " TADA_OPTION(
                                       "partition-by") " out, or write to a folder: " TADA_OPTION("-o=out/") ".");
  }
  if (IsPostgres(path)) return OpenPostgresSink(path, options.force);
  if (IsRemote(path)) return RemoteSink::Open(files_, *remote_, path, options.force);
  if (folder) return FolderSink::Open(files_, path, options);
  return files_.OpenSink(path, options);
}

Result<TableFile> StoreFiles::Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                                   Progress& progress) {
  if (IsPostgres(path)) return ReadPostgres(path, options, workers, progress);
  TADA_TRY(local, Local(path));
  if (IsDataset(local)) return Named(ReadDataset(files_, local, options, workers, progress), local, path);
  return Named(files_.Read(local, options, workers, progress), local, path);
}

Result<std::vector<std::string>> StoreFiles::Header(const std::string& path, const LayoutOptions& layout) {
  if (IsPostgres(path)) return PostgresHeader(path);
  TADA_TRY(local, Local(path));
  return Named(IsDataset(local) ? DatasetHeader(files_, local, layout) : files_.Header(local, layout), local, path);
}

Result<std::string> StoreFiles::Digest(const std::string& path) {
  if (IsPostgres(path)) return std::string();
  TADA_TRY(local, Local(path));
  return IsDataset(local) ? DatasetDigest(files_, local) : files_.Digest(local);
}

Result<std::optional<std::vector<OutsideContent>>> StoreFiles::Outside(const std::string& path) {
  if (IsPostgres(path)) return std::optional(std::vector<OutsideContent>());
  TADA_TRY(local, Local(path));
  return IsDataset(local) ? DatasetOutside(files_, local) : files_.Outside(local);
}

Status StoreFiles::Write(const Release& release, const WriteOptions& options, const Workers& workers,
                         Progress& progress, PendingFile& file) {
  return files_.Write(release, options, workers, progress, file);
}

}  // namespace tada
