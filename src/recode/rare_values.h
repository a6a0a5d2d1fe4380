#pragma once

// Values of a column of names that few rows have. A set that names one says that somebody in its class may have it, and that
// somebody in the table does.

#include <cstdint>
#include <span>
#include <vector>

#include "table/column.h"

namespace tada {

class RareValues {
 public:
  /// None.
  RareValues() = default;
  /// Those that fewer than `least` rows have. Numbers and missing values are never among them.
  RareValues(const Column& column, uint64_t least);

  bool Has(Code code) const { return !rare_.empty() && rare_[code] != 0; }
  bool HasAny(std::span<const Code> codes) const;
  /// How many values there are.
  uint64_t count() const { return count_; }

 private:
  std::vector<uint8_t> rare_;  // by code; empty: none
  uint64_t count_ = 0;
};

}  // namespace tada
