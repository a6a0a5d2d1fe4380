#pragma once

// How far the sensitive numbers of a class are spread out. "Missing" is left out.

#include <optional>
#include <vector>

#include "audit/checks/value_shares.h"

namespace tada {

class NumberSpread {
 public:
  /// Numbers by value; NaN for "missing". They are taken to as many decimals as they are written with, at most 9, and at most so
  /// many that their range has fewer than 2^31 steps.
  explicit NumberSpread(const std::vector<double>& numbers);

  /// Largest less smallest, and population variance, in units of 10^-places, rounded down; nothing without a number.
  std::optional<uint64_t> Range(const ClassShares& values, uint32_t places) const;
  std::optional<uint64_t> Variance(const ClassShares& values, uint32_t places) const;

 private:
  uint64_t Down(Wide numerator, Wide denominator, int unit_power, uint32_t places) const;

  std::vector<std::optional<uint64_t>> steps_;  // above the smallest number
  int decimals_ = 0;                            // a step is 10^-decimals
};

}  // namespace tada
