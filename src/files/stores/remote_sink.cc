#include "files/stores/remote_sink.h"

#include <filesystem>

#include "base/option_mark.h"
#include "files/format.h"
#include "files/published.h"

namespace tada {

Result<std::string> CopyPath(const std::string& address) {
  std::error_code none;
  const std::string folder = std::filesystem::temp_directory_path(none).string();
  if (none) return IoError("No folder for temporary files: TMPDIR").WithHint("Set TMPDIR to a folder that exists.");
  std::string path = address.substr(0, address.find('?'));
  while (path.ends_with('/')) path.pop_back();
  return folder + "/" + path.substr(path.rfind('/') + 1);
}

RemoteSink::RemoteSink(Files& files, Remote& remote, std::string address, bool force, PendingFile file)
    : files_(files),
      remote_(remote),
      address_(std::move(address)),
      name_(ShownPath(address_)),
      force_(force),
      file_(std::move(file)) {}

Result<std::unique_ptr<Sink>> RemoteSink::Open(Files& files, Remote& remote, const std::string& address, bool force) {
  TADA_TRY(copy, CopyPath(address));
  TADA_CHECK_OK(OutputFormatOf(address.substr(0, address.find('?'))));
  TADA_TRY(file, PendingFile::Open(copy, true));
  std::unique_ptr<RemoteSink> sink(new RemoteSink(files, remote, address, force, std::move(file)));
  TADA_CHECK_OK(sink->CheckFree());
  return std::unique_ptr<Sink>(std::move(sink));
}

Status RemoteSink::CheckFree() {
  TADA_TRY(exists, remote_.Exists(address_));
  if (!exists || force_) return Ok();
  return IoError("Output exists: {}", name_)
      .WithHint("Add " TADA_OPTION("force") " to replace it, or choose another name.");
}

std::string RemoteSink::folder() const { return std::filesystem::path(file_.path()).parent_path().string(); }

Status RemoteSink::Write(const Release& release, const WriteOptions& options, const Workers& workers,
                         Progress& progress) {
  return files_.Write(release, options, workers, progress, file_);
}

Result<Table> RemoteSink::ReadBack(const ReadOptions& options, const Workers& workers) {
  NoProgress silent;
  TADA_TRY(read, files_.Read(file_.path(), options, workers, silent));
  return std::move(read.table);
}

Status RemoteSink::Publish() {
  TADA_CHECK_OK(CheckFree());
  TADA_CHECK_OK(remote_.Send(file_.descriptor(), address_));
  AddPublished(name_);
  return Ok();
}

}  // namespace tada
