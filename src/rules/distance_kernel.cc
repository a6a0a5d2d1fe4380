#include "rules/distance_kernel.h"

#include <algorithm>

namespace tada {
namespace {

// Levels are taken four at a time, so that distances stay in registers; they count in the width of the codes.
template <class T, class Key>
[[gnu::always_inline]] inline void Add(const DistanceBlock<T>& block, const T* mine, Key weight, size_t count,
                                       Key* keys) {
  T distance[kDistanceBlock];
  const T* codes = block.codes;
  uint32_t level = 0;
  bool first = true;
  for (; level + 4 <= block.num_levels; level += 4) {
    const T *a = codes + level * block.stride, *b = a + block.stride, *c = b + block.stride, *d = c + block.stride;
    const T ma = mine[level], mb = mine[level + 1], mc = mine[level + 2], md = mine[level + 3];
    if (first) {
      for (size_t i = 0; i < count; ++i)
        distance[i] = static_cast<T>((a[i] != ma) + (b[i] != mb) + (c[i] != mc) + (d[i] != md));
    } else {
      for (size_t i = 0; i < count; ++i) {
        distance[i] = static_cast<T>(distance[i] + (a[i] != ma) + (b[i] != mb) + (c[i] != mc) + (d[i] != md));
      }
    }
    first = false;
  }
  for (; level < block.num_levels; ++level) {
    const T* a = codes + level * block.stride;
    const T ma = mine[level];
    if (first) {
      for (size_t i = 0; i < count; ++i) distance[i] = static_cast<T>(a[i] != ma);
    } else {
      for (size_t i = 0; i < count; ++i) distance[i] = static_cast<T>(distance[i] + (a[i] != ma));
    }
    first = false;
  }
  if (first) return;
  for (size_t i = 0; i < count; ++i) keys[i] += weight * distance[i];
}

#if defined(__x86_64__)
template <class T, class Key>
[[gnu::target("avx2")]] void AddWide(const DistanceBlock<T>& block, const T* mine, Key weight, size_t count,
                                     Key* keys) {
  Add<T, Key>(block, mine, weight, count, keys);
}
#endif

}  // namespace

bool HasWideVectors() {
#if defined(__x86_64__)
  static const bool kHas = __builtin_cpu_supports("avx2") != 0;
  return kHas;
#else
  return false;
#endif
}

template <class T, class Key>
void AddDistances(const DistanceBlock<T>& block, const T* mine, Key weight, size_t count, Key* keys) {
#if defined(__x86_64__)
  if (HasWideVectors()) return AddWide<T, Key>(block, mine, weight, count, keys);
#endif
  Add<T, Key>(block, mine, weight, count, keys);
}

template void AddDistances(const DistanceBlock<uint8_t>&, const uint8_t*, uint32_t, size_t, uint32_t*);
template void AddDistances(const DistanceBlock<uint16_t>&, const uint16_t*, uint32_t, size_t, uint32_t*);
template void AddDistances(const DistanceBlock<uint32_t>&, const uint32_t*, uint32_t, size_t, uint32_t*);
template void AddDistances(const DistanceBlock<uint8_t>&, const uint8_t*, uint64_t, size_t, uint64_t*);
template void AddDistances(const DistanceBlock<uint16_t>&, const uint16_t*, uint64_t, size_t, uint64_t*);
template void AddDistances(const DistanceBlock<uint32_t>&, const uint32_t*, uint64_t, size_t, uint64_t*);

}  // namespace tada
