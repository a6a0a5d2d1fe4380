#pragma once

// A release that goes to a store: written and audited as a private file, then sent. The object appears when its upload is completed, which is after the
// audit has passed.

#include "files/files.h"
#include "files/stores/remote.h"

namespace tada {

class RemoteSink final : public Sink {
 public:
  static Result<std::unique_ptr<Sink>> Open(Files& files, Remote& remote, const std::string& address, bool force);
  const std::string& name() const override { return name_; }
  std::string folder() const override;
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers,
               Progress& progress) override;
  Result<Table> ReadBack(const ReadOptions& options, const Workers& workers) override;
  Result<std::string> Digest() override { return files_.Digest(file_.path()); }
  Status Publish() override;

 private:
  RemoteSink(Files& files, Remote& remote, std::string address, bool force, PendingFile file);
  Status CheckFree();

  Files& files_;
  Remote& remote_;
  std::string address_, name_;
  bool force_;
  PendingFile file_;
};

/// Where private copies lie: a path in the folder for temporary files, with the name that an address ends in.
Result<std::string> CopyPath(const std::string& address);

}  // namespace tada
