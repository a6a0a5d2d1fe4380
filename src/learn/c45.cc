#include "learn/c45.h"

#include <algorithm>
#include <cmath>

namespace tada {

double XLogX(double x) { return x > 0 ? x * std::log2(x) : 0; }

double InfoOf(std::span<const double> counts) {
  double sum = 0, total = 0;
  for (const double count : counts) {
    sum += XLogX(count);
    total += count;
  }
  return XLogX(total) - sum;
}

double NormalQuantile(double tail) {
  double low = -10, high = 10;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(middle / std::sqrt(2.0)) > tail ? low : high) = middle;
  }
  return low;
}

double AddedErrors(double rows, double errors, double confidence, double z) {
  if (rows <= 0) return 0;
  if (errors < 1) {
    const double none = rows * (1 - std::pow(confidence, 1 / rows));
    return errors == 0 ? none : none + errors * (AddedErrors(rows, 1, confidence, z) - none);
  }
  if (errors + 0.5 >= rows) return std::max(rows - errors, 0.0);
  const double f = (errors + 0.5) / rows;
  const double upper = (f + z * z / (2 * rows) + z * std::sqrt(f / rows - f * f / rows + z * z / (4 * rows * rows))) /
                       (1 + z * z / rows);
  return upper * rows - errors;
}

}  // namespace tada
