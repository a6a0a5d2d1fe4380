#pragma once

// How often sensitive values occur in a class, and in what classes are compared with: what all measures in here are taken of.

#include <cstdint>
#include <span>
#include <vector>

#include "base/decimal.h"
#include "base/ids.h"

namespace tada {

struct ValueCount {
  Code value = 0;
  uint64_t count = 0;  ///< above 0
};

struct ClassShares {
  std::span<const ValueCount> values;  ///< those that occur, ascending
  uint64_t members = 0;                ///< rows, or people
  uint64_t total = 0;                  ///< of the counts: more than members where people have several values
};

struct ReferenceShares {
  std::vector<uint64_t> counts;  ///< by value; 0 for one that does not occur
  uint64_t members = 0;
  uint64_t total = 0;
};

/// A share or a distance, exactly.
struct Fraction {
  Wide numerator = 0;
  Wide denominator = 1;

  /// In units of 10^-places, rounded up or down. Pre: numerator < 2^98, places at most 9.
  uint64_t Up(uint32_t places) const {
    return static_cast<uint64_t>((numerator * Decimal{.places = places}.scale() + denominator - 1) / denominator);
  }
  uint64_t Down(uint32_t places) const {
    return static_cast<uint64_t>(numerator * Decimal{.places = places}.scale() / denominator);
  }
};

}  // namespace tada
