#pragma once

// Counts keys, one thread each: in an array if all possible keys are few enough, else in a hash table. Keys come in blocks,
// so that memory is asked for ahead of its use.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tada {

template <class Key>
class PatternCounter {
 public:
  /// `num_keys` possible keys; an array is used up to `max_array` of them.
  PatternCounter(uint64_t num_keys, uint64_t max_array) {
    if (num_keys <= max_array) {
      array_.resize(num_keys, 0);
    } else {
      slots_.resize(size_t{1} << 16);
    }
  }

  void Add(std::span<const Key> keys) {
    if (!array_.empty()) {
      for (size_t i = 0; i < keys.size(); ++i) {
        if (i + kAhead < keys.size()) __builtin_prefetch(&array_[keys[i + kAhead]], 1);
        ++array_[keys[i]];
      }
      return;
    }
    if (2 * (used_ + keys.size()) > slots_.size()) Grow();
    for (size_t i = 0; i < keys.size(); ++i) {
      if (i + kAhead < keys.size()) __builtin_prefetch(&slots_[Home(keys[i + kAhead])], 1);
      AddOne(keys[i], 1);
    }
  }

  /// Adds what another counter of the same keys has, which is then empty.
  void Take(PatternCounter& other) {
    for (size_t i = 0; i < other.array_.size(); ++i) array_[i] += other.array_[i];
    for (const Slot& slot : other.slots_) {
      if (slot.count == 0) continue;
      if (2 * (used_ + 1) > slots_.size()) Grow();
      AddOne(slot.key, slot.count);
    }
    other = PatternCounter(0, UINT64_MAX);
  }

  template <class F>
  void ForEach(F&& f) const {
    for (size_t i = 0; i < array_.size(); ++i) {
      if (array_[i] > 0) f(static_cast<uint64_t>(i), array_[i]);
    }
    for (const Slot& slot : slots_) {
      if (slot.count > 0) f(static_cast<uint64_t>(slot.key), slot.count);
    }
  }

 private:
  static constexpr size_t kAhead = 16;
  struct Slot {
    Key key = 0;
    uint32_t count = 0;
  };

  size_t Home(Key key) const {
    return static_cast<size_t>((uint64_t{key} * 0x9E3779B97F4A7C15ull) >> (64 - std::countr_zero(slots_.size())));
  }
  void AddOne(Key key, uint32_t count) {
    size_t at = Home(key);
    while (slots_[at].count != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].count == 0) {
      slots_[at].key = key;
      ++used_;
    }
    slots_[at].count += count;
  }
  void Grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.size() * 2, Slot{});
    used_ = 0;
    for (const Slot& slot : old) {
      if (slot.count > 0) AddOne(slot.key, slot.count);
    }
  }

  std::vector<uint32_t> array_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace tada
