#pragma once

// The innermost loop of pattern counting: distances of one row to a block of rows in one column, added to their keys.
// Written so that compilers vectorize it; on x86-64 it is compiled twice, and the processor decides which one runs.

#include <cstddef>
#include <cstdint>

namespace tada {

/// Columns of one block, laid out level by level: codes[level * stride + position].
template <class T>
struct DistanceBlock {
  const T* codes;
  size_t stride;
  uint32_t num_levels;  ///< below the top
};

inline constexpr size_t kDistanceBlock = 512;

/// Adds `weight` times the distance to `mine` (one code per level) to keys[0..count). count <= kDistanceBlock.
/// Key is uint32_t or uint64_t, T is uint8_t, uint16_t or uint32_t.
template <class T, class Key>
void AddDistances(const DistanceBlock<T>& block, const T* mine, Key weight, size_t count, Key* keys);

/// Whether the processor has the wider instructions.
bool HasWideVectors();

}  // namespace tada
