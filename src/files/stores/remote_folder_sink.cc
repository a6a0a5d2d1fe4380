#include "files/stores/remote_folder_sink.h"

#include <algorithm>
#include <filesystem>

#include "base/option_mark.h"
#include "files/format.h"
#include "files/published.h"
#include "files/stores/dataset.h"
#include "files/stores/folder_sink.h"
#include "files/stores/remote_sink.h"
#include "files/stores/send_files.h"

namespace tada {
namespace {

constexpr const char* kWhole = "_SUCCESS";

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

RemoteFolderSink::RemoteFolderSink(Remote& remote, std::string address, bool force, PendingFolder folder)
    : remote_(remote),
      address_(std::move(address)),
      name_(ShownPath(address_)),
      force_(force),
      private_(std::move(folder)) {}

Result<std::unique_ptr<Sink>> RemoteFolderSink::Open(Files& files, Remote& remote, const std::string& address,
                                                     const SinkOptions& options) {
  TADA_TRY(copy, CopyPath(address));
  const std::filesystem::path beside = copy;
  TADA_TRY(folder, PendingFolder::Open(beside.parent_path().string(), beside.filename().string(), copy));
  std::unique_ptr<RemoteFolderSink> sink(new RemoteFolderSink(remote, address, options.force, std::move(folder)));
  TADA_CHECK_OK(sink->CheckFree());
  TADA_TRY(parts, FolderSink::Open(files, sink->private_.path() + "/" + beside.filename().string(), options));
  sink->parts_ = std::move(parts);
  return std::unique_ptr<Sink>(std::move(sink));
}

Result<std::vector<std::string>> RemoteFolderSink::CheckFree() {
  auto listed = remote_.List(address_);
  if (!listed.ok()) {
    Error error = std::move(listed).error();
    error.code = ErrorCode::kIo;
    return error;
  }
  if (!listed->empty() && !force_)
    return IoError("Output exists: {}", name_)
        .WithHint("Add " TADA_OPTION("force") " to replace it, or choose another name.");
  if (!ArePartsAlone(*listed)) {
    return IoError("Will not replace {}: it holds more than parts of a release", name_)
        .WithHint("Remove it yourself, or choose another name.");
  }
  return std::move(listed).value();
}

Status RemoteFolderSink::Publish() {
  TADA_TRY(there, CheckFree());
  const std::string local = parts_->name();
  TADA_CHECK_OK(parts_->Publish());
  ForgetPublished(local);
  TADA_TRY(parts, PartsOf(local));
  std::vector<Sending> files;
  for (const DatasetPart& part : parts) files.push_back({part.path, part.name});
  if (Has(there, kWhole)) TADA_CHECK_OK(remote_.Remove(address_, kWhole));
  std::vector<std::string> appeared;
  if (Status sent = SendFiles(remote_, address_, files, appeared); !sent.ok()) {
    for (const std::string& name : appeared) {
      if (!Has(there, name)) static_cast<void>(remote_.Remove(address_, name).ok());
    }
    return sent;
  }
  for (const std::string& name : there) {
    if (name != kWhole && !Has(appeared, name)) TADA_CHECK_OK(remote_.Remove(address_, name));
  }
  TADA_TRY(whole, remote_.Open(address_, kWhole));
  TADA_CHECK_OK(whole->Complete());
  AddPublished(name_);
  return Ok();
}

}  // namespace tada
