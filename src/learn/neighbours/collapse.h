#pragma once

// Gives equal items one number.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tada {

struct Collapsed {
  std::vector<uint32_t> number_of;  ///< by item, counted from 0 as they come up
  std::vector<uint32_t> first;      ///< by number: the first item that has it; ascending
};

/// Numbers items 0 to `count` - 1 so that those that `equal(a, b)` have the same; equal items must have the same `hash(i)`.
template <class Hash, class Equal>
Collapsed CollapseEqual(size_t count, Hash&& hash, Equal&& equal) {
  Collapsed result;
  result.number_of.resize(count);
  const size_t slots = std::bit_ceil(2 * count + 16);
  std::vector<uint32_t> number_plus_one(slots, 0);
  for (size_t i = 0; i < count; ++i) {
    size_t slot = hash(i) & (slots - 1);
    while (number_plus_one[slot] != 0 && !equal(result.first[number_plus_one[slot] - 1], i))
      slot = (slot + 1) & (slots - 1);
    if (number_plus_one[slot] == 0) {
      result.first.push_back(static_cast<uint32_t>(i));
      number_plus_one[slot] = static_cast<uint32_t>(result.first.size());
    }
    result.number_of[i] = number_plus_one[slot] - 1;
  }
  return result;
}

}  // namespace tada
