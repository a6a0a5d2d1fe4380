#pragma once

// Files, and everything else that stands for a table: folders, patterns and lists of files, tables of PostgreSQL. Whoever has files by
// their extensions (files/arrow, files/c_stream) is asked for each of them.

#include "files/files.h"

namespace tada {

class StoreFiles final : public Files {
 public:
  /// `files` must live as long as this.
  explicit StoreFiles(Files& files) : files_(files) {}
  Result<std::unique_ptr<Sink>> OpenSink(const std::string& path, const SinkOptions& options) override;
  Result<TableFile> Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                         Progress& progress) override;
  Result<std::vector<std::string>> Header(const std::string& path, const LayoutOptions& layout) override;
  Result<std::string> Digest(const std::string& path) override;
  Result<std::optional<std::vector<OutsideContent>>> Outside(const std::string& path) override;
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers, Progress& progress,
               PendingFile& file) override;

 private:
  Files& files_;
};

}  // namespace tada
