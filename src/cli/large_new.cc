// Where the program gets its memory: large blocks from the open spill (base/spill.h), if there is one, all others from the
// heap as usual. In the program alone: a library must not decide this for whoever loads it.

#include <cstdlib>
#include <new>

#include "base/spill.h"

void* operator new(std::size_t bytes) {
  if (bytes >= tada::kLargeBlock) {
    if (void* const block = tada::AllocateSpilled(bytes)) return block;
  }
  for (;;) {
    if (void* const block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
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
