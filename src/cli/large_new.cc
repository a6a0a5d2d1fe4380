// Where the program gets its memory: large blocks from the open spill (base/disk/spill.h), if there is one, all others from the
// heap as usual. The largest are asked for in huge pages: rows are visited in the order of groups, that is all over them,
// and with pages of 4 kB finding a page would take longer than reading it. What is below that stays in the heap when it is
// freed: a reader asks for blocks of the same size again and again, and fresh pages have to be cleared each time.
// In the program alone: a library must not decide this for whoever loads it.

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "base/disk/spill.h"

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kHugeBlock = 2 * kHugePage;  // from here on the rest of the last page is little

void* Allocate(std::size_t bytes) {
  if (bytes < kHugeBlock) return std::malloc(bytes == 0 ? 1 : bytes);
  if (bytes > SIZE_MAX - kHugePage) return nullptr;
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
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

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
