#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>

#include "base/disk/spill.h"
#include "base/option_mark.h"
#include "files/format.h"
#include "files/published.h"
#include "files/write.h"

namespace tada {
namespace {

constexpr std::string_view kPrefix = ".tada-";

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Reset(-1); }
  int get() const { return value_; }
  bool ok() const { return value_ >= 0; }
  void Reset(int value) {
    if (value_ >= 0) ::close(value_);
    value_ = value;
  }

 private:
  int value_;
};

Error CannotWrite(std::string_view path, int code) {
  Error error = IoError("Cannot write {}: {}", path, std::strerror(code));
  if (code == ENOSPC || code == EDQUOT || code == EFBIG) error.hint = "Make room on the disk, or write to another one.";
  if (code == EACCES || code == EPERM || code == EROFS) error.hint = "Choose a folder that you may write to.";
  if (code == ENOENT || code == ENOTDIR) error.hint = "Make the folder first, or check the path.";
  return error;
}

Error Exists(std::string_view target) {
  return IoError("Output exists: {}", target)
      .WithHint("Add " TADA_OPTION("force") " to overwrite it, or choose another name.");
}

// Whether a lock could be taken. File systems without locks have no killed writers to tell from live ones: there a
// pending file is used without a lock, and nobody removes it.
enum class Lock { kTaken, kHeldByAnother, kNotThere };

Lock TryLock(int descriptor) {
  for (;;) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Lock::kTaken;
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? Lock::kHeldByAnother : Lock::kNotThere;
  }
}

// `.tada-PID-RANDOM.NAME`, nothing else that may begin alike.
bool IsPendingName(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const auto skip = [&](std::string_view characters) {
    const size_t end = std::min(name.find_first_not_of(characters), name.size());
    name.remove_prefix(end);
    return end > 0;
  };
  if (!skip("0123456789") || !name.starts_with('-')) return false;
  name.remove_prefix(1);
  return skip("0123456789abcdef") && name.starts_with('.') && name.size() > 1;
}

// Removes what killed runs left: pending files and folders whose lock is free, since a live writer holds it.
void RemoveLeftovers(const std::string& folder) {
  DIR* const directory = ::opendir(folder.c_str());
  if (directory == nullptr) return;  // then opening a file there fails too, and says why
  while (const dirent* entry = ::readdir(directory)) {
    if (!IsPendingName(entry->d_name)) continue;
    const int at = ::dirfd(directory);
    const Descriptor file(::openat(at, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat seen{};
    if (!file.ok() || ::fstat(file.get(), &seen) != 0) continue;
    const bool is_folder = S_ISDIR(seen.st_mode);
    if (!is_folder && !S_ISREG(seen.st_mode)) continue;
    if (TryLock(file.get()) != Lock::kTaken) continue;
    struct stat now{};  // published or removed while we looked: the name is not that file any more
    if (::fstatat(at, entry->d_name, &now, AT_SYMLINK_NOFOLLOW) != 0 || now.st_ino != seen.st_ino) continue;
    std::error_code ignored;
    is_folder ? void(std::filesystem::remove_all(folder + "/" + entry->d_name, ignored))
              : void(::unlinkat(at, entry->d_name, 0));
  }
  ::closedir(directory);
}

Status CheckTarget(const std::string& target, bool force) {
  struct stat there{};
  if (::lstat(target.c_str(), &there) != 0) {
    if (errno != ENOENT) return CannotWrite(target, errno);
    return Ok();
  }
  if (S_ISLNK(there.st_mode)) ::stat(target.c_str(), &there);  // a link that leads nowhere stays a link
  if (S_ISDIR(there.st_mode)) return IoError("Cannot write {}: it is a folder", target).WithHint("Name a file in it.");
  if (!S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode)) {
    return IoError("Cannot write {}: it is not a regular file", target).WithHint("Write - for standard output.");
  }
  return force ? Ok() : Status(Exists(target));
}

Status WriteAll(int descriptor, std::string_view bytes, std::string_view path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return CannotWrite(path, errno);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Ok();
}

// Gives `from` the name `to` unless something has it. File systems that cannot do it in one step get a second name
// first.
int RenameWithoutReplacing(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  ::unlink(from.c_str());
  return 0;
}

}  // namespace

std::string PendingName(const std::string& folder, const std::string& name) {
  static thread_local std::random_device random;
  // Names have at most 255 bytes: of a long one the end is kept, where the extension is.
  constexpr size_t kLongest = 200;
  const std::string end = name.size() > kLongest ? name.substr(name.size() - kLongest) : name;
  return fmt::format("{}/{}{}-{:08x}.{}", folder, kPrefix, ::getpid(), random(), end);
}

void RemovePending(const std::string& folder) { RemoveLeftovers(folder); }

struct PendingFile::State {
  std::string target, folder, path;
  bool force = false;
  bool synced = false;
  bool pending = false;  // the file is there under its hidden name
  mode_t mode = 0;       // what the finished file may be used for, as the umask gives it
  Descriptor file;

  ~State() {
    if (pending) ::unlink(path.c_str());
  }

  std::string HiddenName() const {
    return PendingName(folder, target == "-" ? "stdout.csv" : std::filesystem::path(target).filename().string());
  }

  // Makes the hidden file and locks it. Between the two another run may take it for a leftover: then once more.
  Status Create() {
    for (int attempt = 0; attempt < 100; ++attempt) {
      path = HiddenName();
      file.Reset(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
      if (!file.ok()) {
        if (errno == EEXIST) continue;
        return CannotWrite(target == "-" ? folder : target, errno);
      }
      pending = true;
      struct stat made{};
      const Lock lock = TryLock(file.get());
      if (::fstat(file.get(), &made) != 0) return CannotWrite(target, errno);
      if (lock == Lock::kHeldByAnother || made.st_nlink == 0) {
        pending = false;
        continue;
      }
      mode = made.st_mode & 0777;
      ::fchmod(file.get(), 0600);  // until it is audited it is nobody else's to read
      return Ok();
    }
    return IoError("Cannot write {}: other runs keep removing the temporary file", target);
  }
};

PendingFile::PendingFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
PendingFile::PendingFile(PendingFile&&) noexcept = default;
PendingFile& PendingFile::operator=(PendingFile&&) noexcept = default;
PendingFile::~PendingFile() = default;

const std::string& PendingFile::path() const { return state_->path; }
const std::string& PendingFile::target() const { return state_->target; }
int PendingFile::descriptor() const { return state_->file.get(); }

Result<PendingFile> PendingFile::Open(const std::string& target, bool force) {
  auto state = std::make_unique<State>();
  state->target = target;
  state->force = force;
  if (target == "-") {
    std::error_code none;
    state->folder = std::filesystem::temp_directory_path(none).string();
    if (none) return IoError("No folder for temporary files: TMPDIR").WithHint("Set TMPDIR to a folder that exists.");
  } else {
    TADA_CHECK_OK(CheckTarget(target, force));
    const std::filesystem::path folder = std::filesystem::path(target).parent_path();
    state->folder = folder.empty() ? std::string(1, '.') : folder.string();
  }
  RemoveLeftovers(state->folder);
  Spill::RemoveLeftovers(state->folder);
  TADA_CHECK_OK(state->Create());
  struct stat replaced{};  // whoever could not read it before shall not read what replaces it
  if (force && target != "-" && ::stat(target.c_str(), &replaced) == 0) state->mode = replaced.st_mode & 0777;
  return PendingFile(std::move(state));
}

void PendingFile::KeepPrivate() { state_->mode = 0600; }

Status PendingFile::Write(std::string_view bytes) {
  state_->synced = false;
  return WriteAll(descriptor(), bytes, target() == "-" ? path() : target());
}

Status PendingFile::Sync() {
  // EINVAL: a file system where there is nothing to sync.
  if (::fsync(descriptor()) != 0 && errno != EINVAL) return CannotWrite(target(), errno);
  state_->synced = true;
  return Ok();
}

Status PendingFile::Publish() {
  TADA_ASSERT(state_->synced && state_->pending);
  if (target() == "-") {
    std::string piece(1 << 18, '\0');
    for (off_t at = 0;;) {
      const ssize_t got = ::pread(descriptor(), piece.data(), piece.size(), at);
      if (got < 0) return CannotWrite("standard output", errno);
      if (got == 0) break;
      TADA_CHECK_OK(
          WriteAll(STDOUT_FILENO, std::string_view(piece).substr(0, static_cast<size_t>(got)), "standard output"));
      at += got;
    }
    ::unlink(path().c_str());
    state_->pending = false;
    return Ok();
  }
  if (::fchmod(descriptor(), state_->mode) != 0) return CannotWrite(target(), errno);
  if (state_->force) {
    if (::rename(path().c_str(), target().c_str()) != 0) return CannotWrite(target(), errno);
  } else if (const int code = RenameWithoutReplacing(path(), target()); code != 0) {
    return code == EEXIST ? Exists(target()) : CannotWrite(target(), code);
  }
  state_->pending = false;
  AddPublished(target());
  const Descriptor folder(::open(state_->folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.ok() && ::fsync(folder.get()) != 0 && errno != EINVAL) {
    return IoError("{} is written, but its folder cannot be synced: {}", target(), std::strerror(errno))
        .WithHint("The file is complete; it may be lost if the machine stops now. Look at the disk.");
  }
  return Ok();
}

Status WriteWhole(const std::string& target, bool force, std::string_view bytes) {
  TADA_TRY(file, PendingFile::Open(target, force));
  TADA_CHECK_OK(file.Write(bytes));
  TADA_CHECK_OK(file.Sync());
  return file.Publish();
}

}  // namespace tada
