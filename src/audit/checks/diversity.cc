#include "audit/checks/diversity.h"

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace tada {
namespace {

// Adds `times` times the prime factors of `number` to `exponents`.
void AddFactors(uint64_t number, int64_t times, std::map<uint64_t, int64_t>& exponents) {
  for (uint64_t prime = 2; prime * prime <= number; ++prime) {
    for (; number % prime == 0; number /= prime) exponents[prime] += times;
  }
  if (number > 1) exponents[number] += times;
}

// Whether rows^rows = l^rows * product of count^count, that is, whether the entropy is exactly ln l. Both sides have the
// same prime factors then; so nothing is rounded.
bool EntropyIsExactly(std::span<const uint32_t> counts, uint64_t rows, uint64_t l) {
  std::map<uint64_t, int64_t> exponents;
  const auto signed_rows = static_cast<int64_t>(rows);
  AddFactors(rows, signed_rows, exponents);
  AddFactors(l, -signed_rows, exponents);
  for (size_t i = 0; i < counts.size();) {
    size_t end = i;
    while (end < counts.size() && counts[end] == counts[i]) ++end;
    AddFactors(counts[i], -static_cast<int64_t>(counts[i]) * static_cast<int64_t>(end - i), exponents);
    i = end;
  }
  for (const auto& [prime, exponent] : exponents) {
    if (exponent != 0) return false;
  }
  return true;
}

uint64_t Total(std::span<const uint32_t> counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

// rows * ln rows - sum of count * ln count: the entropy times the rows.
long double EntropyTimesRows(std::span<const uint32_t> counts, uint64_t rows) {
  long double sum = 0;
  for (const uint32_t count : counts) sum += count * std::log(static_cast<long double>(count));
  return static_cast<long double>(rows) * std::log(static_cast<long double>(rows)) - sum;
}

uint64_t ReachedEntropy(std::span<const uint32_t> counts) {
  if (counts.front() == counts.back()) return counts.size();  // equally frequent: exp(entropy) is their number
  const uint64_t rows = Total(counts);
  auto l = static_cast<uint64_t>(std::exp(EntropyTimesRows(counts, rows) / static_cast<long double>(rows))) + 1;
  while (l > 1 && !EntropyReaches(counts, l)) --l;
  return l;
}

// The largest l with c1 < C * (c_l + c_{l+1} + ...). The product is rounded to a double, monotonously, and c1 is a
// double: where c1 is not below the product it is not below the rounded one either, so no class passes by rounding.
uint64_t ReachedRecursive(std::span<const uint32_t> counts, double c) {
  uint64_t tail = 0;
  for (size_t l = counts.size(); l > 1; --l) {
    tail += counts[l - 1];
    if (static_cast<double>(counts[0]) < c * static_cast<double>(tail)) return l;
  }
  return 1;
}

}  // namespace

bool EntropyReaches(std::span<const uint32_t> counts, uint64_t l) {
  if (l <= 1) return true;
  if (counts.size() < l) return false;  // the entropy of m values is at most ln m
  if (counts.front() == counts.back()) return true;
  const uint64_t rows = Total(counts);
  const auto m = static_cast<long double>(rows);
  const long double difference = EntropyTimesRows(counts, rows) - m * std::log(static_cast<long double>(l));
  const long double error = m * std::log(m) * std::numeric_limits<long double>::epsilon() * (8.0L + counts.size());
  if (std::abs(difference) > error) return difference > 0;
  return EntropyIsExactly(counts, rows, l);  // too close to call in floating point: equal, or taken as below
}

uint64_t ReachedDiversity(std::span<const uint32_t> counts, const Requirement& requirement) {
  if (counts.empty()) return 0;
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return counts.size();
    case Diversity::kEntropy:
      return ReachedEntropy(counts);
    case Diversity::kRecursive:
      return ReachedRecursive(counts, requirement.c);
  }
  return 1;
}

}  // namespace tada
