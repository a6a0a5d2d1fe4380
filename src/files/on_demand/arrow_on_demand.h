#pragma once

// Parquet and Arrow files and object stores, by libtada_arrow.so, which is loaded when the first of them is met.

#include <mutex>
#include <string>
#include <vector>

#include "files/arrow/arrow_module.h"
#include "files/csv/csv_files.h"
#include "files/stores/remote.h"

namespace tada {

class ArrowLibrary {
 public:
  /// What the library has; an error of that code if it cannot be loaded.
  Result<const ArrowParts*> Load(ErrorCode code);

 private:
  std::mutex mutex_;
  ArrowParts parts_;
};

class FilesOnDemand final : public CsvFiles {
 public:
  explicit FilesOnDemand(ArrowLibrary& arrow) : arrow_(arrow) {}
  Result<std::string> Digest(const std::string& path) override;
  Result<TableFile> ReadColumnar(const std::string& path, Format format, const ReadOptions& options,
                                 const Workers& workers, Progress& progress) override;
  Result<std::vector<std::string>> ColumnarHeader(const std::string& path, Format format) override;
  Result<std::optional<std::vector<OutsideContent>>> ColumnarOutside(const std::string& path, Format format) override;
  Status WriteColumnar(const Release& release, Format format, const WriteOptions& options, const Workers& workers,
                       Progress& progress, PendingFile& file) override;

 private:
  ArrowLibrary& arrow_;
};

class RemoteOnDemand final : public Remote {
 public:
  explicit RemoteOnDemand(ArrowLibrary& arrow) : arrow_(arrow) {}
  Result<std::vector<std::string>> List(const std::string& address) override;
  Status Fetch(const std::string& address, const std::string& name, int descriptor) override;
  Result<bool> Exists(const std::string& address) override;
  Result<std::unique_ptr<Upload>> Open(const std::string& address, const std::string& name) override;
  Status Remove(const std::string& address, const std::string& name) override;

 private:
  ArrowLibrary& arrow_;
};

}  // namespace tada
