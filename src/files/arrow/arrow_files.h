#pragma once

// Files by Arrow C++: what the program has.

#include "files/csv/csv_files.h"

namespace tada {

class ArrowFiles final : public CsvFiles {
 public:
  Result<std::string> Digest(const std::string& path) override;

  Result<TableFile> ReadColumnar(const std::string& path, Format format, const ReadOptions& options,
                                 const Workers& workers, Progress& progress) override;
  Result<std::vector<std::string>> ColumnarHeader(const std::string& path, Format format) override;
  Result<std::optional<std::vector<OutsideContent>>> ColumnarOutside(const std::string& path, Format format) override;
  Status WriteColumnar(const Release& release, Format format, const WriteOptions& options, const Workers& workers,
                       Progress& progress, PendingFile& file) override;
};

}  // namespace tada
