#pragma once

// Object stores by Arrow's file systems: s3, gs, abfs, hdfs. What Arrow keeps in libraries of their own is loaded when the first address is met.

#include "files/stores/remote.h"

namespace tada {

class ArrowRemote final : public Remote {
 public:
  ~ArrowRemote() override;
  Result<std::vector<std::string>> List(const std::string& address) override;
  Status Fetch(const std::string& address, const std::string& name, int descriptor) override;
  Result<bool> Exists(const std::string& address) override;
  Result<std::unique_ptr<Upload>> Open(const std::string& address, const std::string& name) override;
  Status Remove(const std::string& address, const std::string& name) override;

 private:
  bool used_ = false;
};

}  // namespace tada
