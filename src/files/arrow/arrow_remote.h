#pragma once

// Object stores by Arrow's file systems: s3, gs, abfs, hdfs. What Arrow keeps in libraries of their own is loaded when the first address is met.

#include <algorithm>
#include <array>

#include "files/stores/remote.h"

namespace tada {

class ArrowRemote final : public Remote {
 public:
  ~ArrowRemote() override;
  static bool HasScheme(std::string_view scheme) {
    static constexpr std::array<std::string_view, 7> kSchemes = {"s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs"};
    return std::find(kSchemes.begin(), kSchemes.end(), scheme) != kSchemes.end();
  }
  bool Knows(std::string_view scheme) const override { return HasScheme(scheme); }
  Result<std::vector<std::string>> List(const std::string& address) override;
  Status Fetch(const std::string& address, const std::string& name, int descriptor) override;
  Result<bool> Exists(const std::string& address) override;
  Status Send(int descriptor, const std::string& address) override;

 private:
  bool used_ = false;
};

}  // namespace tada
