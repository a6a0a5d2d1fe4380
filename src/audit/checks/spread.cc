#include "audit/checks/spread.h"

#include <algorithm>
#include <cmath>

namespace tada {
namespace {

constexpr int kMostDecimals = 9;

double Power(int exponent) { return std::pow(10.0, exponent); }

// Whether all numbers are multiples of 10^-decimals, as near as doubles tell.
bool AreWritten(const std::vector<double>& numbers, int decimals) {
  return std::ranges::all_of(numbers, [&](double number) {
    return std::isnan(number) || std::round(number * Power(decimals)) / Power(decimals) == number;
  });
}

}  // namespace

NumberSpread::NumberSpread(const std::vector<double>& numbers) : steps_(numbers.size()) {
  double smallest = HUGE_VAL, largest = -HUGE_VAL;
  for (const double number : numbers) {
    if (std::isnan(number)) continue;
    smallest = std::min(smallest, number);
    largest = std::max(largest, number);
  }
  const auto above_smallest = [&](double number) { return static_cast<long double>(number) - smallest; };
  const long double width = largest < smallest ? 0 : above_smallest(largest);  // of -1e308 and 1e308 too
  const auto has_room = [&](int decimals) { return width * std::pow(10.0L, decimals) < 0x1p31L; };
  while (!has_room(decimals_)) --decimals_;
  while (decimals_ >= 0 && decimals_ < kMostDecimals && has_room(decimals_ + 1) && !AreWritten(numbers, decimals_))
    ++decimals_;
  const long double steps = std::pow(10.0L, decimals_);
  for (size_t value = 0; value < numbers.size(); ++value) {
    if (std::isnan(numbers[value])) continue;
    steps_[value] = static_cast<uint64_t>(std::llround(above_smallest(numbers[value]) * steps));
  }
}

// numerator/denominator times (10^-decimals)^unit_power.
uint64_t NumberSpread::Down(Wide numerator, Wide denominator, int unit_power, uint32_t places) const {
  const int shift = static_cast<int>(places) - unit_power * decimals_;  // the result is the fraction times 10^shift
  for (int i = 0; i < -shift; ++i) denominator *= 10;
  for (int i = 0; i < shift; ++i) {
    if (numerator > ~Wide{0} / 10) {  // what does not fit is rounded down a little earlier
      numerator /= denominator;
      denominator = 1;
    }
    if (numerator > ~Wide{0} / 10) return UINT64_MAX - 1;
    numerator *= 10;
  }
  return static_cast<uint64_t>(std::min(numerator / denominator, Wide{UINT64_MAX - 1}));
}

std::optional<uint64_t> NumberSpread::Range(const ClassShares& values, uint32_t places) const {
  std::optional<uint64_t> low, high;
  for (const auto& [value, count] : values.values) {
    if (!steps_[value]) continue;
    low = std::min(low.value_or(UINT64_MAX), *steps_[value]);
    high = std::max(high.value_or(0), *steps_[value]);
  }
  if (!low) return std::nullopt;
  return Down(*high - *low, 1, 1, places);
}

std::optional<uint64_t> NumberSpread::Variance(const ClassShares& values, uint32_t places) const {
  Wide squares = 0, sum = 0;
  uint64_t rows = 0;
  for (const auto& [value, count] : values.values) {
    if (!steps_[value]) continue;
    rows += count;
    sum += Wide{*steps_[value]} * count;
    squares += Wide{*steps_[value]} * *steps_[value] * count;
  }
  if (rows == 0) return std::nullopt;
  return Down(squares * rows - sum * sum, Wide{rows} * rows, 2, places);
}

}  // namespace tada
