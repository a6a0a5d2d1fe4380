#pragma once

// Files, and everything else that stands for a table: folders, patterns and lists of files, tables of PostgreSQL, objects of a store. Whoever has files by
// their extensions (files/arrow, files/c_stream) is asked for each of them.
//   copy   what stands at an address of a store, as a private file (or folder) for as long as this lives.

#include <map>
#include <memory>

#include "files/files.h"
#include "files/stores/remote.h"

namespace tada {

class StoreFiles final : public Files {
 public:
  /// `files` and `remote` must live as long as this; null: nobody here reads stores.
  explicit StoreFiles(Files& files, Remote* remote = nullptr);
  ~StoreFiles() override;
  Result<std::unique_ptr<Sink>> OpenSink(const std::string& path, const SinkOptions& options) override;
  Result<TableFile> Read(const std::string& path, const ReadOptions& options, const Workers& workers,
                         Progress& progress) override;
  Result<std::vector<std::string>> Header(const std::string& path, const LayoutOptions& layout) override;
  Result<std::string> Digest(const std::string& path) override;
  Result<std::optional<std::vector<OutsideContent>>> Outside(const std::string& path) override;
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers, Progress& progress,
               PendingFile& file) override;

 private:
  bool IsRemote(const std::string& path) const;
  Status CheckScheme(const std::string& path) const;
  /// Where to read what stands at a path: itself, or the copy of an object.
  Result<std::string> Local(const std::string& path);

  struct Copy;
  Files& files_;
  Remote* remote_;
  std::map<std::string, std::unique_ptr<Copy>> copies_;
};

}  // namespace tada
