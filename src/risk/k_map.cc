#include "risk/k_map.h"

#include <algorithm>
#include <cmath>

namespace tada {
namespace {

// P(Poisson(mean) >= count): one less what is below, or the tail itself where that is the smaller one.
double AtLeast(uint64_t count, double mean) {
  if (count == 0) return 1;
  const auto chance = [&](double i) { return std::exp(i * std::log(mean) - mean - std::lgamma(i + 1)); };
  double sum = 0;
  if (static_cast<double>(count) > mean) {
    for (auto i = static_cast<double>(count);; ++i) {
      const double one = chance(i);
      sum += one;
      if (one <= sum * 1e-17) return std::min(1.0, sum);
    }
  }
  for (uint64_t i = count; i-- > 0;) {
    const double one = chance(static_cast<double>(i));
    sum += one;
    if (one <= sum * 1e-17) break;
  }
  return std::max(0.0, 1 - sum);
}

}  // namespace

uint64_t LeastClass(uint64_t k, double sampling, double significance) {
  if (sampling >= 1) return k;
  uint64_t low = 0, high = k;  // a class of k is k people, whatever was drawn
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (AtLeast(middle, sampling * static_cast<double>(k)) <= significance ? high : low) = middle;
  }
  return high;
}

uint64_t ReachedKMap(uint64_t size, double sampling, double significance) {
  if (size == 0 || sampling >= 1) return size;
  uint64_t low = size, high = size;
  while (LeastClass(high, sampling, significance) <= size && high < (uint64_t{1} << 50)) low = high, high *= 2;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (LeastClass(middle, sampling, significance) <= size ? low : high) = middle;
  }
  return low;
}

}  // namespace tada
