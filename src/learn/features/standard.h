#pragma once

// Numbers minus their mean, divided by their standard deviation. Numbers whose squares would overflow are measured in units of the
// largest of them, so that no feature is infinite or no number at all.

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tada {

struct Standard {
  double unit = 1, mean = 0, scale = 0;  ///< scale 0: all numbers are alike
  double operator()(double x) const { return (x / unit - mean) * scale; }
};

/// Of the numbers value(0) to value(count - 1).
template <class Value>
Standard StandardOf(size_t count, const Value& value) {
  constexpr double kSquareable = 1e150;
  Standard standard;
  double largest = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(value(i)));
  if (largest > kSquareable) standard.unit = largest;
  for (size_t i = 0; i < count; ++i) sum += value(i) / standard.unit;
  const auto rows = static_cast<double>(count);
  standard.mean = count > 0 ? sum / rows : 0;
  for (size_t i = 0; i < count; ++i) {
    const double off = value(i) / standard.unit - standard.mean;
    squares += off * off;
  }
  // What is left of numbers that are alike is the rounding of their mean, which no number may be divided by.
  const double rounding = 1e-13 * largest / standard.unit;
  standard.scale = squares > rows * rounding * rounding ? std::sqrt(rows / squares) : 0;
  return standard;
}

}  // namespace tada
