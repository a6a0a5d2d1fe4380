#include "base/disk/spill.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "base/option_mark.h"

namespace tada {
namespace {

constexpr std::string_view kPrefix = ".tada-spill-";
constexpr size_t kReserved = size_t{1} << 42;  // of addresses, not of memory
constexpr size_t kGrain = size_t{1} << 16;
constexpr size_t kGrowth = size_t{64} << 20;
constexpr size_t kTrimStep = size_t{8} << 20;
constexpr auto kWatch = std::chrono::milliseconds(4);

// Bytes of this process that are in memory now.
uint64_t Resident(int statm) {
  char text[128];
  const ssize_t got = ::pread(statm, text, sizeof text, 0);
  if (got <= 0) return 0;
  const char* const end = text + got;
  const char* at = std::find(static_cast<const char*>(text), end, ' ');
  uint64_t pages = 0;
  if (at != end) std::from_chars(at + 1, end, pages);
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Of the machine, or of the container that we are in.
uint64_t MachineMemory() {
  uint64_t bytes = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  uint64_t limit = 0;  // "max" where there is none
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit > 0) bytes = std::min(bytes, limit);
  return bytes;
}

// The blocks of the process: addresses [base, base + top) are backed by the files of the spills, one after another. Blocks
// may outlive their spill, so that the area lives as long as the process.
class Area {
 public:
  bool Owns(const void* block) const {
    const auto base = base_.load(std::memory_order_relaxed);
    return base != 0 && reinterpret_cast<uintptr_t>(block) - base < kReserved;
  }

  Status Open(int file, uint64_t budget) {
    const std::lock_guard lock(mutex_);
    if (base_ == 0) {
      void* const at = ::mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (at == MAP_FAILED) return IoError("No addresses for spill files: {}", std::strerror(errno));
      base_ = reinterpret_cast<uintptr_t>(at);
    }
    free_.clear();  // what is free belongs to the file of an earlier spill
    file_ = file;
    first_ = top_;
    statm_ = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    budget_ = budget;
    stop_ = false;
    watcher_ = std::thread([this] { Watch(); });
    return Ok();
  }

  void Close() {
    budget_ = 0;
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    woken_.notify_all();
    watcher_.join();
    const std::lock_guard lock(mutex_);
    ::close(file_);
    if (statm_ >= 0) ::close(statm_);
    file_ = statm_ = -1;
    for (const auto& [at, size] : free_) Unmap(at, size);
    free_.clear();
  }

  uint64_t budget() const { return budget_.load(std::memory_order_relaxed); }

  void* Allocate(size_t bytes) {
    if (budget() == 0) return nullptr;
    const size_t size = (bytes + kGrain - 1) / kGrain * kGrain;
    const std::lock_guard lock(mutex_);
    if (file_ < 0) return nullptr;
    auto fits = std::find_if(free_.begin(), free_.end(), [&](const auto& hole) { return hole.second >= size; });
    if (fits == free_.end()) fits = Grow(size);
    const auto [at, hole] = *fits;
    free_.erase(fits);
    if (hole > size) free_.emplace(at + size, hole - size);
    used_.emplace(at, size);
    return Address(at);
  }

  void Free(void* block) {
    const std::lock_guard lock(mutex_);
    const auto found = used_.find(reinterpret_cast<uintptr_t>(block) - base_);
    auto [at, size] = *found;
    used_.erase(found);
    if (file_ < 0 || at < first_) {  // its spill is closed
      Unmap(at, size);
      return;
    }
    ::madvise(Address(at), size, MADV_DONTNEED);
    const auto next = free_.find(at + size);
    if (next != free_.end()) {
      size += next->second;
      free_.erase(next);
    }
    const auto behind = free_.lower_bound(at);
    const auto before = behind == free_.begin() ? free_.end() : std::prev(behind);
    if (before != free_.end() && before->first + before->second == at) {
      before->second += size;
    } else {
      free_.emplace(at, size);
    }
  }

 private:
  using Holes = std::map<size_t, size_t>;  // where, and how many bytes

  // Of a byte of the reserved addresses.
  void* Address(size_t at) const { return reinterpret_cast<void*>(base_ + at); }  // NOLINT(performance-no-int-to-ptr)

  // Takes more of the file, with blocks on the disk behind it: a mapped file without them kills whoever writes to it.
  Holes::iterator Grow(size_t size) {
    const size_t bytes = std::max(size, kGrowth);
    if (top_ + bytes > kReserved) throw SpillFull();
    const auto offset = static_cast<off_t>(top_ - first_);
    int failed;
    do failed = ::posix_fallocate(file_, offset, static_cast<off_t>(bytes));
    while (failed == EINTR);
    if (failed != 0) throw SpillFull();
    void* const at = ::mmap(Address(top_), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, offset);
    if (at == MAP_FAILED) throw SpillFull();
    const auto made = free_.emplace(top_, bytes).first;
    top_ += bytes;
    return made;
  }

  void Unmap(size_t at, size_t size) {
    [[maybe_unused]] void* const gone =  // where it fails, the block stays mapped: nobody uses it
        ::mmap(Address(at), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  }

  void Watch() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      woken_.wait_for(lock, kWatch, [&] { return stop_; });
      const uint64_t resident = Resident(statm_);
      if (resident > budget()) Trim(resident - budget() * 3 / 4);
    }
  }

  // Gives back pages, a piece after the other and in turn, until that many bytes are gone. What is in them stays: they are
  // pages of a file.
  void Trim(uint64_t excess) {
    const uint64_t before = Resident(statm_);
    for (size_t done = 0; done < top_ - first_; done += kTrimStep) {
      if (hand_ < first_ || hand_ >= top_) hand_ = first_;
      const size_t piece = std::min(kTrimStep, top_ - hand_);
      ::madvise(Address(hand_), piece, MADV_DONTNEED);
      hand_ += piece;
      if (done / kTrimStep % 8 == 7) {
        const uint64_t now = Resident(statm_);
        if (now < before && before - now >= excess) return;
      }
    }
  }

  std::atomic<uintptr_t> base_{0};
  std::atomic<uint64_t> budget_{0};
  std::mutex mutex_;
  std::condition_variable woken_;
  std::thread watcher_;
  bool stop_ = false;
  int file_ = -1, statm_ = -1;
  size_t first_ = 0, top_ = 0;  // of the open spill's addresses
  size_t hand_ = 0;             // where the next page is given back
  Holes free_, used_;
};

Area& TheArea() {
  static Area* const area = new Area;  // outlives every block
  return *area;
}

Error CannotSpill(const std::string& folder, int code) {
  return IoError("Cannot make spill files in {}: {}", folder, std::strerror(code))
      .WithHint("Write to a folder that has room, or leave " TADA_OPTION("memory") " out.");
}

bool TryLock(int descriptor) {
  for (;;) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EINTR) return false;
  }
}

}  // namespace

struct Spill::State {
  std::string folder;
  int lock = -1;
};

// Removes the folders of killed runs: those whose lock is free, since a live run holds it.
void Spill::RemoveLeftovers(const std::string& parent) {
  DIR* const directory = ::opendir(parent.c_str());
  if (directory == nullptr) return;  // then making a folder there fails too, and says why
  while (const dirent* entry = ::readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(kPrefix)) continue;
    // NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): a folder that is open has a number
    const int folder = ::openat(::dirfd(directory), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    std::error_code ignored;  // somebody else's is left alone
    if (TryLock(folder)) std::filesystem::remove_all(std::filesystem::path(parent) / name, ignored);
    ::close(folder);
  }
  ::closedir(directory);
}

Result<std::unique_ptr<Spill>> Spill::Open(const std::string& parent, uint64_t budget) {
  TADA_ASSERT(Budget() == 0 && budget > 0);
  RemoveLeftovers(parent);
  std::unique_ptr<Spill> spill(new Spill);
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string folder = fmt::format("{}/{}{}-{:08x}", parent, kPrefix, ::getpid(), random());
    if (::mkdir(folder.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return CannotSpill(parent, errno);
    }
    const int lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0) continue;  // another run took it for a leftover
    const bool locked = TryLock(lock);
    const int file = locked ? ::openat(lock, "rows", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (file < 0) {
      ::close(lock);
      ::rmdir(folder.c_str());
      continue;
    }
    ::unlinkat(lock, "rows", 0);
    spill->state_ = std::make_unique<State>(State{folder, lock});
    if (const Status opened = TheArea().Open(file, budget); !opened.ok()) {
      ::close(file);
      spill->state_->lock = -1;
      ::close(lock);
      ::rmdir(folder.c_str());
      spill->state_.reset();
      return opened.error();
    }
    return spill;
  }
  return IoError("Cannot make spill files in {}: other runs keep removing them", parent);
}

Spill::~Spill() {
  if (state_ == nullptr) return;
  TheArea().Close();
  ::rmdir(state_->folder.c_str());
  ::close(state_->lock);
}

uint64_t Spill::DefaultBudget(uint64_t expected) {
  const uint64_t half = MachineMemory() / 2;
  return expected > half ? half : 0;
}

uint64_t Spill::Budget() { return TheArea().budget(); }

Error Spill::Full() {
  return IoError("The disk has no room for spill files")
      .WithHint("Make room beside the output, write to another disk, or raise " TADA_OPTION("memory") ".");
}

void* AllocateSpilled(size_t bytes) { return TheArea().Allocate(bytes); }
bool IsSpilled(const void* block) noexcept { return TheArea().Owns(block); }
void FreeSpilled(void* block) noexcept { TheArea().Free(block); }

}  // namespace tada
