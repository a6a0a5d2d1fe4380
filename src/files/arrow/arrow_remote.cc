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

// First line of what Arrow says; those of stores are long.
std::string Words(const arrow::Status& status) {
  const std::string words = status.message();
  return words.substr(0, words.find('\n'));
}

Result<Place> Open(const std::string& address, ErrorCode code) {
  if (SchemeOf(address) == "s3") LoadS3();
  Place place;
  auto system = arrow::fs::FileSystemFromUri(address, &place.path);
  if (!system.ok()) {
    return Error{code, fmt::format("Cannot open {}: {}", ShownPath(address), Words(system.status())),
                 "Check the address."};
  }
  place.system = *std::move(system);
  return place;
}

Error Cannot(std::string_view what, ErrorCode code, const std::string& address, const arrow::Status& status) {
  return {code, fmt::format("Cannot {} {}: {}", what, ShownPath(address), Words(status)),
          "Check the address, and that whoever runs this may use it."};
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

arrow::Status Upload(int descriptor, arrow::io::OutputStream& to) {
  std::string piece(static_cast<size_t>(kRange), '\0');
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(descriptor, piece.data(), piece.size(), at);
    if (got < 0) return arrow::Status::IOError(std::strerror(errno));
    if (got == 0) return arrow::Status::OK();
    ARROW_RETURN_NOT_OK(to.Write(piece.data(), got));
    at += got;
  }
}

}  // namespace

ArrowRemote::~ArrowRemote() {
  if (used_) arrow::fs::EnsureFinalized();
}

Result<std::vector<std::string>> ArrowRemote::List(const std::string& address) {
  used_ = true;
  TADA_TRY(place, Open(address, ErrorCode::kData));
  arrow::fs::FileSelector below;
  below.base_dir = place.path;
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
  TADA_TRY(place, Open(address, ErrorCode::kData));
  const std::string path = name.empty() ? place.path : place.path + (place.path.ends_with('/') ? "" : "/") + name;
  const auto file = place.system->OpenInputFile(path);
  if (!file.ok()) return Cannot("read", ErrorCode::kData, address + name, file.status());
  const arrow::Status copied = Copy(**file, descriptor);
  return copied.ok() ? Ok() : Status(Cannot("read", ErrorCode::kData, address + name, copied));
}

Result<bool> ArrowRemote::Exists(const std::string& address) {
  used_ = true;
  TADA_TRY(place, Open(address, ErrorCode::kIo));
  const auto info = place.system->GetFileInfo(place.path);
  if (!info.ok()) return Cannot("look at", ErrorCode::kIo, address, info.status());
  return info->type() != arrow::fs::FileType::NotFound;
}

Status ArrowRemote::Send(int descriptor, const std::string& address) {
  used_ = true;
  TADA_TRY(place, Open(address, ErrorCode::kIo));
  const auto stream = place.system->OpenOutputStream(place.path);
  if (!stream.ok()) return Cannot("write", ErrorCode::kIo, address, stream.status());
  arrow::Status sent = Upload(descriptor, **stream);
  if (sent.ok()) sent = (*stream)->Close();
  if (sent.ok()) return Ok();
  static_cast<void>((*stream)->Abort());
  return Cannot("write", ErrorCode::kIo, address, sent);
}

}  // namespace tada
