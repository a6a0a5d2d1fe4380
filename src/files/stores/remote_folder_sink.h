#pragma once

// A release as a folder of parts in a store: written and audited as a private folder, then sent. Objects of a store cannot appear in one step, so an
// empty one called _SUCCESS comes last and goes first: where it is, all parts are of one release.

#include "files/files.h"
#include "files/stores/pending_folder.h"
#include "files/stores/remote.h"

namespace tada {

class RemoteFolderSink final : public Sink {
 public:
  static Result<std::unique_ptr<Sink>> Open(Files& files, Remote& remote, const std::string& address,
                                            const SinkOptions& options);
  const std::string& name() const override { return name_; }
  std::string folder() const override { return private_.path(); }
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers,
               Progress& progress) override {
    return parts_->Write(release, options, workers, progress);
  }
  Result<Table> ReadBack(const ReadOptions& options, const Workers& workers) override {
    return parts_->ReadBack(options, workers);
  }
  Result<std::string> Digest() override { return parts_->Digest(); }
  Status Publish() override;

 private:
  RemoteFolderSink(Remote& remote, std::string address, bool force, PendingFolder folder);
  /// What is there, if it may be replaced.
  Result<std::vector<std::string>> CheckFree();

  Remote& remote_;
  std::string address_, name_;
  bool force_;
  PendingFolder private_;
  std::unique_ptr<Sink> parts_;  // a folder inside
};

}  // namespace tada
