#pragma once

// The different cells of a released column, numbered as they come up.

#include <algorithm>
#include <span>
#include <vector>

#include "base/random.h"
#include "recode/release.h"

namespace tada {

class CellList {
 public:
  explicit CellList(ReleasedColumn& out) : out_(out), slots_(64) {}

  uint32_t Value(Code code) { return Bounded({Cell::Form::kValue, code, code, 0}); }
  uint32_t Interval(Code low, Code high) { return Bounded({Cell::Form::kInterval, low, high, 0}); }
  uint32_t Mask() {
    return Find(UINT64_MAX, [](const Cell& other) { return other.form == Cell::Form::kMask; }, [] { return Cell{}; });
  }
  /// `codes` are sorted.
  uint32_t Set(std::span<const Code> codes) {
    uint64_t hash = codes.size();
    for (const Code code : codes) hash = MixSeed(hash, code);
    return Find(
        hash,
        [&](const Cell& other) {
          return other.form == Cell::Form::kSet && std::ranges::equal(out_.sets[other.index], codes);
        },
        [&] {
          out_.sets.emplace_back(codes.begin(), codes.end());
          return Cell{Cell::Form::kSet, codes.front(), codes.back(), static_cast<uint32_t>(out_.sets.size() - 1)};
        });
  }

 private:
  // A cell and its hash; what is taken is passed over.
  struct Slot {
    static constexpr uint32_t kEmpty = UINT32_MAX;
    uint64_t hash = 0;
    uint32_t cell = kEmpty;
  };

  // An interval that begins where it ends is the value.
  uint32_t Bounded(const Cell& cell) {
    return Find(
        MixSeed(0, uint64_t{cell.low} << 32 | cell.high),
        [&](const Cell& other) {
          const bool bounded = other.form == Cell::Form::kValue || other.form == Cell::Form::kInterval;
          return bounded && other.low == cell.low && other.high == cell.high;
        },
        [&] { return cell; });
  }

  template <class Same, class Make>
  uint32_t Find(uint64_t hash, const Same& same, const Make& make) {
    size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].cell != Slot::kEmpty; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == hash && same(out_.cells[slots_[at].cell])) return slots_[at].cell;
    }
    const auto added = static_cast<uint32_t>(out_.cells.size());
    out_.cells.push_back(make());
    slots_[at] = {hash, added};
    if (2 * ++taken_ > slots_.size()) Grow();
    return added;
  }

  void Grow() {
    std::vector<Slot> larger(2 * slots_.size());
    for (const Slot& slot : slots_) {
      if (slot.cell == Slot::kEmpty) continue;
      size_t at = slot.hash & (larger.size() - 1);
      while (larger[at].cell != Slot::kEmpty) at = (at + 1) & (larger.size() - 1);
      larger[at] = slot;
    }
    slots_.swap(larger);
  }

  ReleasedColumn& out_;
  std::vector<Slot> slots_;  // a power of two of them
  size_t taken_ = 0;
};

}  // namespace tada
