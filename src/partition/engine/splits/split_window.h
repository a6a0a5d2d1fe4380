#pragma once

// Which splits of a value table leave enough on both sides, told from the table alone, before any sweep over it.
//   enough    rows and, where the number of different sensitive values decides, those. More rows never take them away, so
//             the prefixes of an order that leave enough on both sides are those of a window of lengths.
// Where that is all the requirement asks (exact), nothing else has to be followed or asked along a sweep.

#include <span>
#include <vector>

#include "partition/engine/splits/value_table.h"

namespace tada {

/// Answers for one thread.
class SplitWindow {
 public:
  explicit SplitWindow(const Problem& problem);

  /// Whether the windows are the requirement itself: k, or k and distinct l over small domains. Else a split inside one may
  /// still fail.
  bool exact() const { return exact_; }

  struct Lengths {
    size_t first = 0, last = 0;  ///< none if the first is above the last
  };
  /// With how many of the values on the left, in that order, both sides have enough.
  Lengths Prefixes(const ValueTable& table, std::span<const uint32_t> order);

  /// Looks at a table for questions about single values of it.
  void StartSingles(const ValueTable& table);
  /// Whether a value on one side and all others on the other have enough different sensitive values.
  bool SingleHolds(const ValueTable& table, size_t value) const;

 private:
  template <bool masked>
  Lengths PrefixesOfOne(const ValueTable& table, std::span<const uint32_t> order) const;
  bool Enough(uint64_t rows) const;
  void Add(const ValueTable& table, size_t value);

  uint64_t smallest_;
  int l_;  // different values each side must have; 0 if that is not what decides
  bool exact_;
  std::vector<uint64_t> seen_, twice_;  // by sensitive column: what occurs, and what occurs at two values of the table
};

}  // namespace tada
