// Columns are joined one by one: a row's class so far and its next value give its next class.

#include "run/inspect/inspect.h"

namespace tada {
namespace {

/// Numbers pairs of a class and a value in the order in which they are first asked for: an open hash table, which takes a tenth of the
/// time of one with a node per pair where there are millions.
class PairNumbers {
 public:
  uint32_t Of(uint32_t class_so_far, uint32_t value) {
    const uint64_t pair = (uint64_t{class_so_far} << 32) | value;
    size_t at = Find(pair);
    if (slots_[at].number == kFree) {
      if (2 * (size_t{count_} + 1) > slots_.size()) {
        Grow();
        at = Find(pair);
      }
      slots_[at] = {pair, count_++};
    }
    return slots_[at].number;
  }
  uint32_t count() const { return count_; }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;  // tables have fewer rows
  struct Slot {
    uint64_t pair = 0;
    uint32_t number = kFree;
  };

  size_t Find(uint64_t pair) const {
    const size_t mask = slots_.size() - 1;
    size_t at = (pair * 0x9e3779b97f4a7c15u) >> shift_;
    while (slots_[at].number != kFree && slots_[at].pair != pair) at = (at + 1) & mask;
    return at;
  }
  void Grow() {
    std::vector<Slot> old(4 * slots_.size());
    old.swap(slots_);
    shift_ -= 2;
    for (const Slot& slot : old) {
      if (slot.number != kFree) slots_[Find(slot.pair)] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  unsigned shift_ = 64 - 10;  // which leaves as many bits as slots take
  uint32_t count_ = 0;
};

}  // namespace

std::vector<uint32_t> ClassOfRows(const Table& table, const std::vector<ColumnProfile>& columns, size_t& num_classes) {
  std::vector<uint32_t> class_of(table.num_rows(), 0);
  num_classes = table.num_rows() > 0 ? 1 : 0;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    if (columns[id].role != ColumnRole::kQuasi) continue;
    const Column& column = table.column(id);
    PairNumbers numbers;
    column.codes().Visit([&](auto codes) {
      for (size_t row = 0; row < class_of.size(); ++row)
        class_of[row] = numbers.Of(class_of[row], column.value_id(static_cast<Code>(codes[row])));
    });
    num_classes = numbers.count();
  }
  return class_of;
}

}  // namespace tada
