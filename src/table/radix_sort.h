#pragma once

// Sorts numbers of rows (or of anything else) by small integer keys in time proportional to their number: digit by digit, from
// the lowest, each pass stable. Sorting by several columns is sorting by the last one first.

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace tada {

/// Reorders `items` by ascending key(item), keeping the order of those with equal keys. Pre: keys are below `num_keys`.
template <class Key>
void RadixSort(std::vector<uint32_t>& items, uint32_t num_keys, const Key& key) {
  constexpr int kDigit = 11;  // bits: the counters and the ends of the lists being written stay in the first cache
  const int bits = num_keys < 2 ? 0 : static_cast<int>(std::bit_width(num_keys - 1));
  std::vector<uint32_t> sorted(bits > 0 ? items.size() : 0);
  for (int shift = 0; shift < bits; shift += kDigit) {
    constexpr uint32_t kMask = (1u << kDigit) - 1;
    std::array<uint32_t, size_t{1} << kDigit> next{};
    for (const uint32_t item : items) ++next[key(item) >> shift & kMask];
    uint32_t begin = 0;
    for (uint32_t& place : next) begin += std::exchange(place, begin);
    for (const uint32_t item : items) sorted[next[key(item) >> shift & kMask]++] = item;
    items.swap(sorted);
  }
}

}  // namespace tada
