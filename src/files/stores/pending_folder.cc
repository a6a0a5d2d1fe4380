#include "files/stores/pending_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "files/write.h"

namespace tada {

Error CannotWriteFolder(const std::string& path, int code) {
  return IoError("Cannot write {}: {}", path, std::strerror(code))
      .WithHint(code == ENOENT ? "Make the folder that it shall be in first." : "Choose another place for the output.");
}

PendingFolder::PendingFolder(PendingFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)), keep_(std::exchange(other.keep_, true)) {}

PendingFolder::~PendingFolder() {
  std::error_code ignored;
  if (!keep_ && !path_.empty()) std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

// Between making and locking it another run may take it for a leftover: then once more.
Result<PendingFolder> PendingFolder::Open(const std::string& parent, const std::string& name,
                                          const std::string& target) {
  RemovePending(parent);
  for (int attempt = 0; attempt < 100; ++attempt) {
    PendingFolder folder;
    const std::string path = PendingName(parent, name);
    if (::mkdir(path.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return CannotWriteFolder(target, errno);
    }
    folder.path_ = path;
    folder.lock_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat made{};
    if (folder.lock_ >= 0 && (::flock(folder.lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
        ::fstat(folder.lock_, &made) == 0 && made.st_nlink > 0) {
      return folder;
    }
  }
  return IoError("Cannot write {}: other runs keep removing the temporary folder", target);
}

}  // namespace tada
