#pragma once

// A release as a folder of parts. It is written as a hidden folder beside the target, read back and audited as a whole, and then gets its
// name in one step; with --force it changes places with the folder that is there, which is then removed.
//   parts    `part-00000.parquet`, ...: rows in the order of the release, so many in each.
//   format   by the extension of the folder's name (`out.csv.gz/`), else that of the input, else Parquet.

#include <memory>
#include <string>
#include <vector>

#include "files/files.h"
#include "files/stores/pending_folder.h"

namespace tada {

class FolderSink final : public Sink {
 public:
  static Result<std::unique_ptr<Sink>> Open(Files& files, const std::string& path, const SinkOptions& options);

  const std::string& name() const override { return target_; }
  std::string folder() const override { return parent_; }
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers,
               Progress& progress) override;
  Result<Table> ReadBack(const ReadOptions& options, const Workers& workers) override;
  Result<std::string> Digest() override;
  Status Publish() override;

 private:
  FolderSink(Files& files, std::string target, std::string parent, PendingFolder pending, SinkOptions options);
  Status WritePart(const Release& part, const std::string& name, const WriteOptions& options, const Workers& workers,
                   Progress& progress);

  Files& files_;
  std::string target_, parent_;
  PendingFolder folder_;
  std::string pending_;  // where it is
  SinkOptions options_;
  std::vector<std::string> folders_;  // inside, to be synced
  std::vector<RowId> position_;       // of each row that is read back, where it stands in the release
};

/// Whether these names, inside a folder, are those of parts of a release and of nothing else, so that it may be replaced.
bool ArePartsAlone(const std::vector<std::string>& names);

}  // namespace tada
