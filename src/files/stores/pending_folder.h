#pragma once

// A folder under a hidden name that is removed at the end, unless it was given another one by then. It is locked while its maker lives: what a killed run
// left is removed by the next run in the same place.

#include <string>

#include "base/status.h"

namespace tada {

class PendingFolder {
 public:
  /// In `parent`; `name` is the end of its hidden name. kIo with the words for `target` if it cannot be made.
  static Result<PendingFolder> Open(const std::string& parent, const std::string& name, const std::string& target);
  PendingFolder(PendingFolder&& other) noexcept;
  PendingFolder& operator=(PendingFolder&&) = delete;
  ~PendingFolder();

  const std::string& path() const { return path_; }
  int descriptor() const { return lock_; }
  /// It has another name now, and stays.
  void Keep() { keep_ = true; }

 private:
  PendingFolder() = default;
  std::string path_;
  int lock_ = -1;
  bool keep_ = false;
};

/// "Cannot write", with what to do about it.
Error CannotWriteFolder(const std::string& path, int code);

}  // namespace tada
