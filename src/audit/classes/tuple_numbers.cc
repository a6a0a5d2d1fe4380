#include "audit/classes/tuple_numbers.h"

#include <algorithm>
#include <bit>

#include "base/status.h"

namespace tada {
namespace {

constexpr size_t kRowsPerBlock = 1 << 15;
constexpr size_t kRowsAtOnce =
    1 << 20;  // whose keys are kept: for all rows they would take twice the memory of the result
constexpr int kNumberBits = 32;
constexpr size_t kLargeTable = 1 << 18;  // slots
constexpr size_t kAhead = 16;            // rows whose slots are asked for before they are needed

size_t HashKey(uint64_t key) {
  key *= 0x9E3779B97F4A7C15ull;
  key ^= key >> 32;
  key *= 0xD6E8FEB86659FD93ull;
  return static_cast<size_t>(key ^ (key >> 32));
}

}  // namespace

TupleNumbers::TupleNumbers(std::span<const uint32_t> sizes) {
  stages_.emplace_back();
  int room = 64;
  for (const uint32_t size : sizes) {
    const int bits = size <= 1 ? 0 : std::bit_width(size - 1);
    if (bits > room) {
      stages_.push_back({stages_.back().end, stages_.back().end, {}, 0});
      room = 64 - kNumberBits;
    }
    room -= bits;
    bits_.push_back(bits);
    ++stages_.back().end;
  }
  for (Stage& stage : stages_) stage.slots.resize(1024);
}

uint32_t TupleNumbers::Find(Stage& stage, uint64_t key) {
  const size_t last = stage.slots.size() - 1;
  size_t at = HashKey(key) & last;
  for (; stage.slots[at].number_plus_one != 0; at = (at + 1) & last) {
    if (stage.slots[at].key == key) return stage.slots[at].number_plus_one - 1;
  }
  stage.slots[at] = {key, ++stage.count};
  const uint32_t number = stage.count - 1;
  if (stage.count * size_t{2} > stage.slots.size()) Grow(stage);
  return number;
}

void TupleNumbers::Grow(Stage& stage) {
  // Of a large table each step touches memory that was never used, which takes longer than moving what is there.
  std::vector<Slot> old(stage.slots.size() * (stage.slots.size() < kLargeTable ? 4 : 2));
  old.swap(stage.slots);
  const size_t last = stage.slots.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number_plus_one == 0) continue;
    size_t at = HashKey(slot.key) & last;
    while (stage.slots[at].number_plus_one != 0) at = (at + 1) & last;
    stage.slots[at] = slot;
  }
}

// Keys of the rows from `first` on, by the numbers of the stage before and the stage's columns.
void TupleNumbers::MakeKeys(const Stage& stage, std::span<const KeyColumn> columns, size_t first,
                            std::span<const uint32_t> numbers, const Workers& workers, std::span<uint64_t> keys) const {
  workers.ForBlocks(keys.size(), kRowsPerBlock, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) keys[i] = numbers[first + i];
    for (size_t column = stage.begin; column < stage.end; ++column) {
      const int bits = bits_[column];
      const auto map = columns[column].map;
      columns[column].codes->Visit([&](auto all) {
        const auto codes = all.subspan(first);
        if (map.empty()) {
          for (size_t i = begin; i < end; ++i) keys[i] = keys[i] << bits | codes[i];
        } else {
          for (size_t i = begin; i < end; ++i) keys[i] = keys[i] << bits | map[codes[i]];
        }
      });
    }
  });
}

std::vector<uint32_t> TupleNumbers::Number(std::span<const KeyColumn> columns, size_t num_rows,
                                           const Workers& workers) {
  TADA_ASSERT(columns.size() == bits_.size());
  std::vector<uint32_t> numbers(num_rows, 0);
  std::vector<uint64_t> room(std::min(num_rows, kRowsAtOnce));
  for (size_t first = 0; first < num_rows; first += kRowsAtOnce) {
    const auto keys = std::span(room).first(std::min(kRowsAtOnce, num_rows - first));
    for (Stage& stage : stages_) {
      MakeKeys(stage, columns, first, numbers, workers, keys);
      for (size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && keys[i] == keys[i - 1]) {
          numbers[first + i] = numbers[first + i - 1];
          continue;
        }
        if (i + kAhead < keys.size()) {
          __builtin_prefetch(&stage.slots[HashKey(keys[i + kAhead]) & (stage.slots.size() - 1)]);
        }
        numbers[first + i] = Find(stage, keys[i]);
      }
    }
    workers.Poll();
  }
  return numbers;
}

}  // namespace tada
