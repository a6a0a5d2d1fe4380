#pragma once

// Numbers rows by their cells: rows get the same number if and only if all their cells are equal. Exact: the cells'
// codes are packed into 64 bits, as many columns as fit; a hash table numbers the different words; the number stands
// for those columns in the next word. Two tables numbered by one object share the numbers. A run of equal rows, as
// the classes of a sorted release are, is looked up once.

#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "table/codes.h"

namespace tada {

struct KeyColumn {
  const Codes* codes = nullptr;
  std::span<const uint32_t> map;  ///< if not empty, a row's key is map[code] instead of its code
};

class TupleNumbers {
 public:
  /// `sizes[i]` is one more than the largest key of column i.
  explicit TupleNumbers(std::span<const uint32_t> sizes);

  /// The number of every row, counted from 0 in order of first appearance over all calls.
  std::vector<uint32_t> Number(std::span<const KeyColumn> columns, size_t num_rows, const Workers& workers);
  /// How many different rows there were so far.
  uint32_t count() const { return stages_.back().count; }

 private:
  struct Slot {
    uint64_t key;
    uint32_t number_plus_one;
  };
  struct Stage {
    size_t begin = 0, end = 0;  // its columns
    std::vector<Slot> slots;
    uint32_t count = 0;
  };
  static uint32_t Find(Stage& stage, uint64_t key);
  static void Grow(Stage& stage);
  void MakeKeys(const Stage& stage, std::span<const KeyColumn> columns, size_t first, std::span<const uint32_t> numbers,
                const Workers& workers, std::span<uint64_t> keys) const;

  std::vector<int> bits_;
  std::vector<Stage> stages_;
};

}  // namespace tada
