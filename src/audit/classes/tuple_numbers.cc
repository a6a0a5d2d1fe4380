#include "audit/classes/tuple_numbers.h"

#include <bit>

#include "base/status.h"

namespace tada {
namespace {

constexpr size_t kRowsPerBlock = 1 << 15;
constexpr int kNumberBits = 32;
constexpr size_t kAhead = 16;  // rows whose slots are asked for before they are needed

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
  std::vector<Slot> old(stage.slots.size() * 4);
  old.swap(stage.slots);
  const size_t last = stage.slots.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number_plus_one == 0) continue;
    size_t at = HashKey(slot.key) & last;
    while (stage.slots[at].number_plus_one != 0) at = (at + 1) & last;
    stage.slots[at] = slot;
  }
}

std::vector<uint32_t> TupleNumbers::Number(std::span<const KeyColumn> columns, size_t num_rows,
                                           const Workers& workers) {
  TADA_ASSERT(columns.size() == bits_.size());
  std::vector<uint32_t> numbers(num_rows, 0);
  std::vector<uint64_t> keys(num_rows);
  for (Stage& stage : stages_) {
    workers.ForBlocks(num_rows, kRowsPerBlock, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) keys[row] = numbers[row];
      for (size_t i = stage.begin; i < stage.end; ++i) {
        const int bits = bits_[i];
        const auto map = columns[i].map;
        columns[i].codes->Visit([&](auto codes) {
          if (map.empty()) {
            for (size_t row = begin; row < end; ++row) keys[row] = keys[row] << bits | codes[row];
          } else {
            for (size_t row = begin; row < end; ++row) keys[row] = keys[row] << bits | map[codes[row]];
          }
        });
      }
    });
    for (size_t row = 0; row < num_rows; ++row) {
      if (row > 0 && keys[row] == keys[row - 1]) {
        numbers[row] = numbers[row - 1];
        continue;
      }
      if (row + kAhead < num_rows) {
        __builtin_prefetch(&stage.slots[HashKey(keys[row + kAhead]) & (stage.slots.size() - 1)]);
      }
      numbers[row] = Find(stage, keys[row]);
    }
    workers.Poll();
  }
  return numbers;
}

}  // namespace tada
