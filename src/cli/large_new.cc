// Where the program gets its memory: large blocks from the open spill (base/disk/spill.h), if there is one, all others from the
// heap as usual. The largest are asked for in huge pages: rows are visited in the order of groups, that is all over them,
// and with pages of 4 kB finding a page would take longer than reading it. What is below that stays in the heap when it is
// freed: a reader asks for blocks of the same size again and again, and fresh pages have to be cleared each time. For the same
// reason a few of the larger ones are kept: of ten million rows, a quarter of the blocks are orders of rows that live for a moment.
// In the program alone: a library must not decide this for whoever loads it.

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#include "base/disk/spill.h"

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kHugeBlock = 2 * kHugePage;  // from here on the rest of the last page is little

constexpr std::size_t kLargestKept = std::size_t{64} << 20;

std::size_t WholePages(std::size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

// Blocks that were freed last, for whoever asks for the same size next.
class KeptBlocks {
 public:
  void* Take(std::size_t whole) noexcept {
    const std::lock_guard lock(mutex_);
    for (Block& block : blocks_) {
      if (block.whole != whole) continue;
      void* const taken = block.at;
      block = {};
      return taken;
    }
    return nullptr;
  }
  /// Keeps a block instead of another one, which is returned.
  void* Swap(void* at, std::size_t whole) noexcept {
    const std::lock_guard lock(mutex_);
    Block& block = blocks_[next_++ % kMost];
    void* const other = block.at;
    block = {at, whole};
    return other;
  }

 private:
  static constexpr std::size_t kMost = 4;
  struct Block {
    void* at = nullptr;
    std::size_t whole = 0;
  };
  std::mutex mutex_;
  Block blocks_[kMost];
  std::size_t next_ = 0;
};

constinit KeptBlocks kept;

void* Allocate(std::size_t bytes) {
  if (bytes < kHugeBlock) return std::malloc(bytes == 0 ? 1 : bytes);
  if (bytes > SIZE_MAX - kHugePage) return nullptr;
  const std::size_t whole = WholePages(bytes);
  if (void* const block = kept.Take(whole)) return block;
  void* const block = std::aligned_alloc(kHugePage, whole);
  if (block != nullptr) static_cast<void>(madvise(block, whole, MADV_HUGEPAGE));  // a wish: small pages do as well
  return block;
}

[[maybe_unused]] const bool heap_is_set = mallopt(M_MMAP_THRESHOLD, static_cast<int>(kHugeBlock)) == 1 &&
                                          mallopt(M_TRIM_THRESHOLD, 256 << 20) == 1;  // in either case the program runs

}  // namespace

void* operator new(std::size_t bytes) {
  if (bytes >= tada::kLargeBlock) {
    if (void* const block = tada::AllocateSpilled(bytes)) return block;
  }
  for (;;) {
    if (void* const block = Allocate(bytes)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept {
  if (tada::IsSpilled(block)) {
    tada::FreeSpilled(block);
  } else {
    std::free(block);
  }
}

void operator delete(void* block, std::size_t bytes) noexcept {
  if (bytes >= kHugeBlock && bytes <= kLargestKept && block != nullptr && !tada::IsSpilled(block)) {
    block = kept.Swap(block, WholePages(bytes));
  }
  operator delete(block);
}
