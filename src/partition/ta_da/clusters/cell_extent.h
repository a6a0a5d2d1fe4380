#pragma once

// One feature of a group: its two smallest and two largest numbers, so that the cell without one row is known at once.

#include <algorithm>
#include <limits>

namespace tada {

struct CellExtent {
  static constexpr float kFar = std::numeric_limits<float>::infinity();
  float low = kFar, second_low = kFar, high = -kFar, second_high = -kFar;
  double sum = 0;

  void Add(float x) {
    second_low = std::min(second_low, std::max(low, x));
    low = std::min(low, x);
    second_high = std::max(second_high, std::min(high, x));
    high = std::max(high, x);
    sum += x;
  }

  struct Changed {
    float low, high;
    double sum;
    double middle() const { return (static_cast<double>(low) + high) / 2; }
  };
  /// The ends and the sum without one number and with another one; either may be none.
  Changed Without(const float* without, const float* with) const {
    Changed now{low, high, sum};
    if (without != nullptr) {
      if (*without == low) now.low = second_low;
      if (*without == high) now.high = second_high;
      now.sum -= *without;
    }
    if (with != nullptr) {
      now.low = std::min(now.low, *with);
      now.high = std::max(now.high, *with);
      now.sum += *with;
    }
    return now;
  }
};

}  // namespace tada
