#pragma once

// A set of codes that gives them back in ascending order without sorting: bits in words, and above each level of words a
// level that says which of them are not empty, so that neither adding nor listing looks at the domain's size.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace tada {

class CodeList {
 public:
  explicit CodeList(Code num_codes) {
    size_t words = num_codes;
    do {
      words = (words + 63) / 64;
      levels_.emplace_back(words, 0);
    } while (words > 1);
  }

  void Add(Code code) {
    for (std::vector<uint64_t>& level : levels_) {
      const uint64_t bit = uint64_t{1} << (code & 63);
      uint64_t& word = level[code >> 6];
      const bool was_empty = word == 0;
      word |= bit;
      if (!was_empty) return;  // the levels above know
      code >>= 6;
    }
  }

  /// Calls f(code) for each code in ascending order and empties the set.
  template <class F>
  void Drain(F&& f) {
    DrainWord(levels_.size() - 1, 0, f);
  }

 private:
  template <class F>
  void DrainWord(size_t level, size_t index, F& f) {
    uint64_t word = levels_[level][index];
    levels_[level][index] = 0;
    for (; word != 0; word &= word - 1) {
      const size_t at = index * 64 + static_cast<size_t>(std::countr_zero(word));
      if (level == 0) {
        f(static_cast<Code>(at));
      } else {
        DrainWord(level - 1, at, f);
      }
    }
  }

  std::vector<std::vector<uint64_t>> levels_;  // levels_[0] has a bit per code
};

}  // namespace tada
