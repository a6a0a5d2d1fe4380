#pragma once

// Keys that nobody shares, among many. Keys are drawn evenly from 64 bits (sums of random numbers), so their highest bits split them
// into parts that fit a processor's cache, and their lowest ones place them in a table: on a million keys several times faster than
// one large table, where every key misses the cache.

#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/ids.h"

namespace tada {

/// A row and the key of its class.
struct KeyedRow {
  uint64_t key = 0;
  RowId row = 0;
};

inline uint64_t KeyIn(uint64_t key) { return key; }
inline uint64_t KeyIn(const KeyedRow& keyed) { return keyed.key; }

/// Items by the highest bits of their keys; within a part they keep their order.
template <class Item>
class KeyParts {
 public:
  /// item_of(i) for every i below `count`; it is called twice.
  template <class ItemOf>
  KeyParts(size_t count, const ItemOf& item_of) : items_(std::make_unique_for_overwrite<Item[]>(count)) {
    const auto bits = static_cast<unsigned>(std::bit_width(count / kPartSize));
    const auto part_of = [bits](uint64_t key) { return bits == 0 ? 0 : static_cast<size_t>(key >> (64 - bits)); };
    begin_.assign((size_t{1} << bits) + 1, 0);
    for (size_t i = 0; i < count; ++i) ++begin_[part_of(KeyIn(item_of(i))) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<size_t> next(begin_.begin(), begin_.end() - 1);
    for (size_t i = 0; i < count; ++i) {
      const Item item = item_of(i);
      items_[next[part_of(KeyIn(item))]++] = item;
    }
  }

  size_t size() const { return begin_.size() - 1; }
  std::span<const Item> operator[](size_t part) const {
    return {items_.get() + begin_[part], begin_[part + 1] - begin_[part]};
  }

 private:
  static constexpr size_t kPartSize = 8192;
  std::unique_ptr<Item[]> items_;
  std::vector<size_t> begin_;
};

/// A key for CountAlone, which gives up its lowest bit to say whether several have it already.
inline uint64_t MarkedKey(uint64_t key, bool several) { return (key & ~uint64_t{1}) | static_cast<uint64_t>(several); }

/// How many marked keys occur once, and stand for one.
uint64_t CountAlone(const KeyParts<uint64_t>& keys);

}  // namespace tada
