#include "files/arrow/arrow_remote.h"

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "files/format.h"

namespace tada {
namespace {

using FileSystem = std::shared_ptr<arrow::fs::FileSystem>;

constexpr int64_t kRange = 8 << 20;  // bytes that are asked for at once

// The library for S3 stands beside Arrow's own, under the same version.
void LoadS3() {
  static std::once_flag once;
  std::call_once(once, [] {
    Dl_info arrow{};
    if (::dladdr(reinterpret_cast<void*>(&arrow::fs::EnsureFinalized), &arrow) == 0) return;
    std::string path = arrow.dli_fname;
    const size_t name = path.rfind("libarrow.so");
    if (name == std::string::npos) return;
    path.replace(name, std::strlen("libarrow.so"), "libarrow_s3.so");
    if (::access(path.c_str(), R_OK) == 0) static_cast<void>(arrow::fs::LoadFileSystemFactories(path.c_str()));
  });
}

struct Place {
  FileSystem system;
  std::string path;
};

Error Cannot(std::string_view what, ErrorCode code, const std::string& address, const arrow::Status& status) {
  return CannotAtStore(what, code, address, status.message());
}

Result<Place> PlaceOf(const std::string& address, const std::string& name, ErrorCode code) {
  if (SchemeOf(address) == "s3") LoadS3();
  Place place;
  auto system = arrow::fs::FileSystemFromUri(address, &place.path);
  if (!system.ok()) {
    return Cannot("open", code, address, system.status());
  }
  place.system = *std::move(system);
  if (!name.empty()) place.path += (place.path.ends_with('/') ? "" : "/") + name;
  return place;
}

arrow::Status Copy(arrow::io::RandomAccessFile& from, int descriptor) {
  ARROW_ASSIGN_OR_RAISE(const int64_t size, from.GetSize());
  for (int64_t at = 0; at < size;) {
    ARROW_ASSIGN_OR_RAISE(const auto range, from.ReadAt(at, std::min(kRange, size - at)));
    if (range->size() == 0) return arrow::Status::IOError("it ended before its size was reached");
    for (int64_t written = 0; written < range->size();) {
      const ssize_t got = ::write(descriptor, range->data() + written, static_cast<size_t>(range->size() - written));
      if (got < 0 && errno != EINTR) return arrow::Status::IOError("no room for a copy: ", std::strerror(errno));
      written += std::max<ssize_t>(got, 0);
    }
    at += range->size();
  }
  return arrow::Status::OK();
}

class ArrowUpload final : public Upload {
 public:
  ArrowUpload(std::shared_ptr<arrow::io::OutputStream> stream, std::string address)
      : stream_(std::move(stream)), address_(std::move(address)) {}
  ~ArrowUpload() override {
    if (!completed_) static_cast<void>(stream_->Abort());
  }
  Status Write(std::string_view bytes) override {
    return Said(stream_->Write(bytes.data(), static_cast<int64_t>(bytes.size())));
  }
  Status Complete() override {
    TADA_CHECK_OK(Said(stream_->Close()));
    completed_ = true;
    return Ok();
  }

 private:
  Status Said(const arrow::Status& status) const {
    return status.ok() ? Ok() : Status(Cannot("write", ErrorCode::kIo, address_, status));
  }
  std::shared_ptr<arrow::io::OutputStream> stream_;
  std::string address_;
  bool completed_ = false;
};

}  // namespace

ArrowRemote::~ArrowRemote() {
  if (used_) arrow::fs::EnsureFinalized();
}

Result<std::vector<std::string>> ArrowRemote::List(const std::string& address) {
  used_ = true;
  TADA_TRY(place, PlaceOf(address, "", ErrorCode::kData));
  arrow::fs::FileSelector below;
  below.base_dir = place.path;
  below.allow_not_found = true;
  below.recursive = true;
  const auto found = place.system->GetFileInfo(below);
  if (!found.ok()) return Cannot("list", ErrorCode::kData, address, found.status());
  std::vector<std::string> names;
  const size_t inside = place.path.size() + (place.path.ends_with('/') ? 0 : 1);
  for (const arrow::fs::FileInfo& info : *found) {
    if (info.IsFile()) names.push_back(info.path().substr(inside));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Status ArrowRemote::Fetch(const std::string& address, const std::string& name, int descriptor) {
  used_ = true;
  TADA_TRY(place, PlaceOf(address, name, ErrorCode::kData));
  const auto file = place.system->OpenInputFile(place.path);
  if (!file.ok()) return Cannot("read", ErrorCode::kData, address + name, file.status());
  const arrow::Status copied = Copy(**file, descriptor);
  return copied.ok() ? Ok() : Status(Cannot("read", ErrorCode::kData, address + name, copied));
}

Result<bool> ArrowRemote::Exists(const std::string& address) {
  used_ = true;
  TADA_TRY(place, PlaceOf(address, "", ErrorCode::kIo));
  const auto info = place.system->GetFileInfo(place.path);
  if (!info.ok()) return Cannot("look at", ErrorCode::kIo, address, info.status());
  return info->type() != arrow::fs::FileType::NotFound;
}

Result<std::unique_ptr<Upload>> ArrowRemote::Open(const std::string& address, const std::string& name) {
  used_ = true;
  TADA_TRY(place, PlaceOf(address, name, ErrorCode::kIo));
  auto stream = place.system->OpenOutputStream(place.path);
  if (!stream.ok()) return Cannot("write", ErrorCode::kIo, address, stream.status());
  return std::unique_ptr<Upload>(std::make_unique<ArrowUpload>(*std::move(stream), address));
}

Status ArrowRemote::Remove(const std::string& address, const std::string& name) {
  used_ = true;
  TADA_TRY(place, PlaceOf(address, name, ErrorCode::kIo));
  const arrow::Status removed = place.system->DeleteFile(place.path);
  return removed.ok() ? Ok() : Status(Cannot("remove", ErrorCode::kIo, address, removed));
}

}  // namespace tada
