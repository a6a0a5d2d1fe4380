#include "files/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "files/packing.h"

namespace tada {
namespace {

Result<size_t> ReadDescriptor(int descriptor, char* out, size_t count, std::string_view name) {
  // EINTR is not tried again: the signals we listen to ask us to stop, also while we wait for standard input.
  const ssize_t got = ::read(descriptor, out, count);
  if (got < 0) return DataError("Cannot read {}: {}", name, std::strerror(errno));
  return static_cast<size_t>(got);
}

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(InputFile file) : file_(std::move(file)) {}

  Result<size_t> Read(char* out, size_t count) override {
    TADA_TRY(got, file_.Read(out, count));
    position_ += got;
    return got;
  }
  Status Rewind() override {
    position_ = 0;
    return file_.Rewind();
  }
  uint64_t stored_size() const override { return file_.size(); }
  uint64_t stored_position() const override { return position_; }
  Status CheckUnchanged() const override { return file_.CheckUnchanged(); }

 private:
  InputFile file_;
  uint64_t position_ = 0;
};

// Unpacks members one after the other.
class PackedSource final : public ByteSource {
 public:
  PackedSource(InputFile file, Packing packing, std::unique_ptr<Unpacker> unpacker)
      : file_(std::move(file)), packing_(packing), unpacker_(std::move(unpacker)), packed_(1 << 18) {}

  Result<size_t> Read(char* out, size_t count) override {
    char* const begin = out;
    while (out == begin && !done_ && count > 0) TADA_CHECK_OK(Step(out, count));
    return static_cast<size_t>(out - begin);
  }
  Status Rewind() override {
    position_ = 0;
    inside_ = done_ = false;
    left_ = {};
    unpacker_->Reset();
    return file_.Rewind();
  }
  uint64_t stored_size() const override { return file_.size(); }
  uint64_t stored_position() const override { return position_; }
  Status CheckUnchanged() const override { return file_.CheckUnchanged(); }

 private:
  Status Step(char*& out, size_t& room) {
    if (left_.empty() && !full_) {
      TADA_TRY(got, file_.Read(packed_.data(), packed_.size()));
      position_ += got;
      left_ = std::string_view(packed_.data(), got);
      if (got == 0) {
        done_ = true;
        if (inside_) return Damaged("it ends in the middle");
        return Ok();
      }
    }
    inside_ = true;
    const Result<bool> ended = unpacker_->Unpack(left_, out, room);
    if (!ended.ok()) return Damaged(ended.error().message);
    full_ = room == 0 && !*ended;  // there may be more that is read already
    if (*ended) inside_ = false;
    return Ok();
  }
  Error Damaged(std::string_view why) const {
    return DataError("Damaged {} file: {}: {}", PackingName(packing_), file_.path(), why)
        .WithHint("Make the file again, or copy it again.");
  }

  InputFile file_;
  Packing packing_;
  std::unique_ptr<Unpacker> unpacker_;
  std::vector<char> packed_;
  std::string_view left_;  // of what was read
  uint64_t position_ = 0;
  bool inside_ = false;  // a member has begun and not ended
  bool full_ = false;    // the last step filled all the room there was
  bool done_ = false;
};

Result<const std::string*> StandardInput() {
  static std::mutex mutex;
  static std::optional<std::string> bytes;
  const std::lock_guard lock(mutex);
  if (!bytes) {
    std::string all;
    for (size_t used = 0;;) {
      if (all.size() - used < (1 << 20)) all.resize(std::max<size_t>(1 << 22, all.size() * 2));
      TADA_TRY(got, ReadDescriptor(STDIN_FILENO, all.data() + used, all.size() - used, "standard input"));
      used += got;
      if (got == 0) {
        all.resize(used);
        all.shrink_to_fit();
        break;
      }
    }
    bytes = std::move(all);
  }
  return &*bytes;
}

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

  Result<size_t> Read(char* out, size_t count) override {
    const size_t take = std::min<size_t>(count, bytes_.size() - position_);
    std::memcpy(out, bytes_.data() + position_, take);
    position_ += take;
    return take;
  }
  Status Rewind() override {
    position_ = 0;
    return Ok();
  }
  uint64_t stored_size() const override { return bytes_.size(); }
  uint64_t stored_position() const override { return position_; }
  Status CheckUnchanged() const override { return Ok(); }

 private:
  std::string_view bytes_;
  size_t position_ = 0;
};

}  // namespace

Result<InputFile> InputFile::Open(const std::string& path) {
  InputFile file;
  file.path_ = path;
  // Without O_NONBLOCK, opening a pipe nobody writes to would wait for ever.
  file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.descriptor_ < 0) {
    return DataError("Cannot read {}: {}", path, std::strerror(errno)).WithHint("Check the path and its permissions.");
  }
  struct stat now{};
  if (::fstat(file.descriptor_, &now) != 0) return DataError("Cannot read {}: {}", path, std::strerror(errno));
  if (S_ISDIR(now.st_mode)) return DataError("Cannot read {}: it is a folder", path).WithHint("Name a file in it.");
  if (!S_ISREG(now.st_mode)) {
    return DataError("Cannot read {}: it is not a regular file", path)
        .WithHint("Pipe it in and write - for the input.");
  }
  file.size_ = static_cast<uint64_t>(now.st_size);
  file.device_ = now.st_dev;
  file.inode_ = now.st_ino;
  file.seconds_ = now.st_mtim.tv_sec;
  file.nanoseconds_ = now.st_mtim.tv_nsec;
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept { *this = std::move(other); }

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  size_ = other.size_;
  device_ = other.device_;
  inode_ = other.inode_;
  seconds_ = other.seconds_;
  nanoseconds_ = other.nanoseconds_;
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<size_t> InputFile::Read(char* out, size_t count) { return ReadDescriptor(descriptor_, out, count, path_); }

Status InputFile::Rewind() {
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) return DataError("Cannot read {}: {}", path_, std::strerror(errno));
  return Ok();
}

Status InputFile::CheckUnchanged() const {
  struct stat now{};
  if (::stat(path_.c_str(), &now) != 0) {
    return DataError("Input vanished while it was read: {}", path_)
        .WithHint("Run again when the file is there to stay.");
  }
  const bool same = now.st_dev == device_ && now.st_ino == inode_ && static_cast<uint64_t>(now.st_size) == size_ &&
                    now.st_mtim.tv_sec == seconds_ && now.st_mtim.tv_nsec == nanoseconds_;
  if (same) return Ok();
  return DataError("Input changed while it was read: {}", path_).WithHint("Run again when nobody writes to the file.");
}

Result<std::unique_ptr<ByteSource>> OpenBytes(const std::string& path, Packing packing) {
  if (path == "-") {
    TADA_TRY(bytes, StandardInput());
    return std::unique_ptr<ByteSource>(std::make_unique<MemorySource>(*bytes));
  }
  TADA_TRY(file, InputFile::Open(path));
  if (packing == Packing::kNone) return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(std::move(file)));
  TADA_TRY(unpacker, MakeUnpacker(packing));
  return std::unique_ptr<ByteSource>(std::make_unique<PackedSource>(std::move(file), packing, std::move(unpacker)));
}

}  // namespace tada
