#include "run/inspect/keys_alone.h"

#include <algorithm>

namespace tada {

uint64_t CountAlone(const KeyParts<uint64_t>& keys) {
  constexpr uint64_t kSeveral = 1;
  uint64_t alone = 0;
  std::vector<uint64_t> slots;  // marked keys; 0 is free
  for (size_t part = 0; part < keys.size(); ++part) {
    slots.assign(std::bit_ceil(2 * keys[part].size() + 2), 0);
    const size_t mask = slots.size() - 1;
    for (const uint64_t marked : keys[part]) {
      const uint64_t key = std::max<uint64_t>(marked & ~kSeveral, 2);
      size_t at = (key >> 1) & mask;
      while (slots[at] != 0 && (slots[at] & ~kSeveral) != key) at = (at + 1) & mask;
      slots[at] = slots[at] == 0 ? key | (marked & kSeveral) : key | kSeveral;
    }
    alone += static_cast<uint64_t>(
        std::ranges::count_if(slots, [](uint64_t slot) { return slot != 0 && (slot & kSeveral) == 0; }));
  }
  return alone;
}

}  // namespace tada
