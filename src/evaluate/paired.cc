#include "evaluate/paired.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace tada {
namespace {

// The continued fraction of the incomplete beta function (Lentz's method).
double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double fraction = d;
  for (int m = 1; m <= 500; ++m) {
    for (const bool even : {true, false}) {
      const double step = even ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                               : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 + step * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + step / c;
      if (std::abs(c) < kTiny) c = kTiny;
      fraction *= c * d;
      if (!even && std::abs(c * d - 1) < 1e-15) return fraction;
    }
  }
  return fraction;
}

double IncompleteBeta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * BetaFraction(a, b, x) / a : 1 - front * BetaFraction(b, a, 1 - x) / b;
}

double Mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The standard error of the mean of splits that share rows.
double StandardError(std::span<const double> values, double mean, double test_ratio) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) * (1 / n + test_ratio));
}

}  // namespace

double StudentTail(double t, double freedom) { return IncompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t)); }

MeanInterval MeanOf(std::span<const double> values, double test_ratio) {
  if (values.empty()) return {kNaN, kNaN, kNaN};
  const double mean = Mean(values);
  if (values.size() < 2) return {mean, kNaN, kNaN};
  double low = 0, high = 1000;  // the t that 5% are farther out than
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (StudentTail(middle, static_cast<double>(values.size() - 1)) > 0.05 ? low : high) = middle;
  }
  const double reach = low * StandardError(values, mean, test_ratio);
  return {mean, mean - reach, mean + reach};
}

double PairedP(std::span<const double> differences, double test_ratio) {
  if (differences.size() < 2) return 1;
  const double mean = Mean(differences);
  const double error = StandardError(differences, mean, test_ratio);
  if (error == 0) return mean == 0 ? 1 : 0;
  return StudentTail(mean / error, static_cast<double>(differences.size() - 1));
}

}  // namespace tada
