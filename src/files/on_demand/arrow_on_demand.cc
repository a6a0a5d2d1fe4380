#include "files/on_demand/arrow_on_demand.h"

#include <dlfcn.h>

#include "files/digest/sha256.h"

namespace tada {

// Found by the program's own search path: beside it, or in lib/tada where it is installed.
Result<const ArrowParts*> ArrowLibrary::Load(ErrorCode code) {
  const std::lock_guard lock(mutex_);
  if (parts_.files != nullptr) return &parts_;
  void* const library = ::dlopen("libtada_arrow.so", RTLD_NOW | RTLD_LOCAL);
  void* const make = library == nullptr ? nullptr : ::dlsym(library, kMakeArrowParts);
  if (make == nullptr) {
    const char* const why = ::dlerror();
    return Error{code, fmt::format("Parquet and Arrow files and object stores cannot be used: {}", why),
                 "Install tada again with all its libraries, or use CSV files."};
  }
  reinterpret_cast<MakeArrowParts*>(make)(parts_);
  return &parts_;
}

Result<std::string> FilesOnDemand::Digest(const std::string& path) { return Sha256OfFile(path); }

Result<TableFile> FilesOnDemand::ReadColumnar(const std::string& path, Format format, const ReadOptions& options,
                                              const Workers& workers, Progress& progress) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kData));
  return arrow->files->ReadColumnar(path, format, options, workers, progress);
}

Result<std::vector<std::string>> FilesOnDemand::ColumnarHeader(const std::string& path, Format format) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kData));
  return arrow->files->ColumnarHeader(path, format);
}

Result<std::optional<std::vector<OutsideContent>>> FilesOnDemand::ColumnarOutside(const std::string& path,
                                                                                  Format format) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kData));
  return arrow->files->ColumnarOutside(path, format);
}

Status FilesOnDemand::WriteColumnar(const Release& release, Format format, const WriteOptions& options,
                                    const Workers& workers, Progress& progress, PendingFile& file) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kIo));
  return arrow->files->WriteColumnar(release, format, options, workers, progress, file);
}

Result<std::vector<std::string>> RemoteOnDemand::List(const std::string& address) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kData));
  return arrow->remote->List(address);
}

Status RemoteOnDemand::Fetch(const std::string& address, const std::string& name, int descriptor) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kData));
  return arrow->remote->Fetch(address, name, descriptor);
}

Result<bool> RemoteOnDemand::Exists(const std::string& address) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kIo));
  return arrow->remote->Exists(address);
}

Result<std::unique_ptr<Upload>> RemoteOnDemand::Open(const std::string& address, const std::string& name) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kIo));
  return arrow->remote->Open(address, name);
}

Status RemoteOnDemand::Remove(const std::string& address, const std::string& name) {
  TADA_TRY(arrow, arrow_.Load(ErrorCode::kIo));
  return arrow->remote->Remove(address, name);
}

}  // namespace tada
