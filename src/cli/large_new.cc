// Where the program gets its memory: large blocks from the open spill (base/disk/spill.h), if there is one, all others from the
// heap as usual. The largest are asked for in huge pages: rows are visited in the order of groups, that is all over them,
// and with pages of 4 kB finding a page would take longer than reading it. What is below that stays in the heap when it is
// freed: a reader asks for blocks of the same size again and again, and fresh pages have to be cleared each time. For the same
// reason the largest stay too: of ten million rows, half of what is asked for lives for a moment.
// In the program alone: a library must not decide this for whoever loads it.

#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#include "base/disk/spill.h"

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kHugeBlock = 2 * kHugePage;  // from here on the rest of the last page is little

constexpr std::size_t kReserved = std::size_t{1} << 40;  // of addresses, not of memory

// Blocks of whole huge pages, one behind the other. What is freed is for whoever asks next, pages and all; the smallest hole that
// is large enough is taken, and neighbouring holes are one.
class HugeBlocks {
 public:
  /// Null: there are no addresses to be had.
  void* Take(std::size_t bytes) noexcept {
    const std::size_t pages = (bytes + kHugePage - 1) / kHugePage;
    const std::lock_guard lock(mutex_);
    if (base_ == nullptr && !Reserve()) return nullptr;
    Hole* best = nullptr;
    for (std::size_t i = 0; i < num_holes_; ++i) {
      if (holes_[i].pages >= pages && (best == nullptr || holes_[i].pages < best->pages)) best = &holes_[i];
    }
    if (best == nullptr) {
      // The last hole grows if it ends where nothing was taken yet.
      const bool joins = num_holes_ > 0 && holes_[num_holes_ - 1].page + holes_[num_holes_ - 1].pages == top_;
      const std::size_t page = joins ? holes_[num_holes_ - 1].page : top_;
      if ((page + pages) * kHugePage > kReserved || !Open(page + pages)) return nullptr;
      if (joins) --num_holes_;
      return Block(page, pages);
    }
    const std::size_t page = best->page;
    best->page += pages;
    best->pages -= pages;
    if (best->pages == 0) Remove(best);
    return Block(page, pages);
  }

  bool Owns(const void* block) const noexcept {
    const char* const base = base_;
    return base != nullptr && block >= base && block < base + kReserved;
  }

  void Give(void* block) noexcept {
    const std::lock_guard lock(mutex_);
    const std::size_t page = static_cast<std::size_t>(static_cast<char*>(block) - base_) / kHugePage;
    const std::size_t pages = pages_of_[page];
    std::size_t i = 0;  // the first hole behind it
    while (i < num_holes_ && holes_[i].page < page) ++i;
    const bool before = i > 0 && holes_[i - 1].page + holes_[i - 1].pages == page;
    const bool behind = i < num_holes_ && page + pages == holes_[i].page;
    if (before) {
      holes_[i - 1].pages += pages;
      if (behind) {
        holes_[i - 1].pages += holes_[i].pages;
        Remove(&holes_[i]);
      }
    } else if (behind) {
      holes_[i].page = page;
      holes_[i].pages += pages;
    } else if (num_holes_ < kMostHoles) {
      for (std::size_t j = num_holes_++; j > i; --j) holes_[j] = holes_[j - 1];
      holes_[i] = {page, pages};
    } else {
      static_cast<void>(madvise(block, pages * kHugePage, MADV_DONTNEED));  // its addresses are lost, its memory is not
    }
  }

 private:
  static constexpr std::size_t kMostHoles = 512;
  struct Hole {
    std::size_t page = 0, pages = 0;
  };

  bool Reserve() noexcept {
    void* const at =
        mmap(nullptr, kReserved + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    base_ = static_cast<char*>(at) + (kHugePage - address % kHugePage) % kHugePage;
    return true;
  }

  void* Block(std::size_t page, std::size_t pages) noexcept {
    pages_of_[page] = static_cast<std::uint32_t>(pages);
    return base_ + page * kHugePage;
  }

  // Up to this page memory may be used.
  bool Open(std::size_t top) noexcept {
    char* const from = base_ + top_ * kHugePage;
    const std::size_t bytes = (top - top_) * kHugePage;
    if (mprotect(from, bytes, PROT_READ | PROT_WRITE) != 0) return false;
    static_cast<void>(madvise(from, bytes, MADV_HUGEPAGE));  // a wish: small pages do as well
    top_ = top;
    return true;
  }

  void Remove(Hole* hole) noexcept {
    for (Hole* next = hole + 1; next < holes_ + num_holes_; ++next) next[-1] = *next;
    --num_holes_;
  }

  std::mutex mutex_;
  std::atomic<char*> base_ = nullptr;
  std::size_t top_ = 0;  // pages that were ever taken
  std::size_t num_holes_ = 0;
  Hole holes_[kMostHoles];
  std::uint32_t pages_of_[kReserved / kHugePage] =
      {};  // of the block that begins at a page; the system gives what is used of it
};

constinit HugeBlocks huge;

void* Allocate(std::size_t bytes) {
  if (bytes >= kHugeBlock && bytes <= kReserved) {
    if (void* const block = huge.Take(bytes)) return block;
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
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
  if (huge.Owns(block)) {
    huge.Give(block);
  } else if (tada::IsSpilled(block)) {
    tada::FreeSpilled(block);
  } else {
    std::free(block);
  }
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
