#pragma once

// Reads and writes CSV files; what a backend adds are the columnar formats, Parquet and Arrow.

#include "files/files.h"
#include "files/format.h"

namespace tada {

class CsvFiles : public Files {
 public:
  Result<TableFile> Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                         Progress& progress) override;
  Result<std::vector<std::string>> Header(const std::string& path, const LayoutOptions& layout) override;
  Result<std::optional<std::vector<OutsideContent>>> Outside(const std::string& path) override;
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers, Progress& progress,
               PendingFile& file) override;

  // For kParquet and kArrow only.
  virtual Result<TableFile> ReadColumnar(const std::string& path, Format format, const ReadOptions& options,
                                         const Workers& workers, Progress& progress) = 0;
  virtual Result<std::vector<std::string>> ColumnarHeader(const std::string& path, Format format) = 0;
  virtual Result<std::optional<std::vector<OutsideContent>>> ColumnarOutside(const std::string& path,
                                                                             Format format) = 0;
  virtual Status WriteColumnar(const Release& release, Format format, const WriteOptions& options,
                               const Workers& workers, Progress& progress, PendingFile& file) = 0;
};

}  // namespace tada
