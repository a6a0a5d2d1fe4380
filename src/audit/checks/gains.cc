#include "audit/checks/gains.h"

#include <algorithm>
#include <cmath>

namespace tada {
namespace {

constexpr long double kRounding = 0x1p-60L;  // of a logarithm and a product, relatively

long double Real(uint64_t count) { return static_cast<long double>(count); }

}  // namespace

uint64_t LargestGain(const ClassShares& values, const ReferenceShares& reference, uint32_t places) {
  uint64_t largest = 0;
  for (const auto& [value, count] : values.values) {
    const Wide q = Wide{count} * reference.members, p = Wide{reference.counts[value]} * values.members;  // times m N
    if (q > p) largest = std::max(largest, Fraction{q - p, p}.Up(places));
  }
  return largest;
}

bool GainsStayBelowLogarithm(const ClassShares& values, const ReferenceShares& reference) {
  return std::ranges::all_of(values.values, [&](const ValueCount& counted) {
    const uint64_t in_reference = reference.counts[counted.value];
    const long double gain =
        Real(counted.count) / Real(values.members) / (Real(in_reference) / Real(reference.members)) - 1;
    const long double bound = std::log(Real(reference.members)) - std::log(Real(in_reference));
    const bool certain = Wide{counted.count} * reference.members <= Wide{in_reference} * values.members;  // no gain
    return certain || gain <= bound - (1 + bound) * 8 * kRounding;
  });
}

std::optional<uint64_t> LargestLogRatio(const ClassShares& values, const ReferenceShares& reference, uint32_t places) {
  const auto occurring = std::ranges::count_if(reference.counts, [](uint64_t count) { return count > 0; });
  if (static_cast<size_t>(occurring) > values.values.size()) return std::nullopt;
  long double largest = 0;
  for (const auto& [value, count] : values.values) {
    const Wide q = Wide{count} * reference.members, p = Wide{reference.counts[value]} * values.members;
    if (q == p) continue;
    const long double ratio = std::log(Real(count)) + std::log(Real(reference.members)) -
                              std::log(Real(reference.counts[value])) - std::log(Real(values.members));
    largest = std::max(largest, std::abs(ratio) + 100 * kRounding);
  }
  return static_cast<uint64_t>(std::ceil(largest * Real(Decimal{.places = places}.scale())));
}

Fraction LargestShare(const ClassShares& values, const std::vector<bool>& counts) {
  uint64_t most = 0;
  for (const auto& [value, count] : values.values) {
    if (counts[value]) most = std::max(most, count);
  }
  return {most, values.members};
}

}  // namespace tada
