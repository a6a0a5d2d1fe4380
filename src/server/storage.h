#pragma once

// Where the server keeps what it was given and what it made: a folder that only its user can enter, deleted when the server
// stops. What a server that was killed left behind is deleted by the next one. Names on disk are the server's own.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tada {

class Storage {
 public:
  /// Makes the folder, in $XDG_RUNTIME_DIR or the temporary folder, after it has removed those of servers that are gone.
  static Result<Storage> Open();
  Storage(Storage&& other) noexcept;
  Storage& operator=(Storage&&) = delete;
  ~Storage();

  const std::string& path() const { return path_; }
  /// Bytes of all files in it.
  uint64_t Used() const;

 private:
  Storage(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::string path_;
  int lock_ = -1;  ///< held as long as the server lives, so that others can tell
};

/// A name for a file that is shown and typed: the last part of a path, of letters, digits and ._- alone, never hidden, never
/// long, with an extension that says how to read it.
std::string FileNameFor(std::string_view name);

}  // namespace tada
