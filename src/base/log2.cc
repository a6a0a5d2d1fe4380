#include "base/log2.h"

#include <cmath>

namespace tada {

// x = m 2^e with m between sqrt(1/2) and sqrt(2), and ln m = 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.172. The series
// of artanh ends where its terms fall below rounding: s^24 / 25 < 2^-64. Compiled with -ffp-contract=off.
double Log2(double x) {
  constexpr double kSeries[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
  constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
  constexpr double kTwoOverLn2 = 0x1.71547652b82fep+1,
                   kRest = 0x1.777d0ffda0d24p-55;  // 2 / ln 2, and what rounding cut off
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // in [1/2, 1)
  if (m < kSqrtHalf) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double series = 0;  // artanh(s) / s - 1
  for (const double coefficient : kSeries) series = square * (series + coefficient);
  const double log_m = s * kTwoOverLn2 + (s * series * kTwoOverLn2 + s * kRest);
  return exponent + log_m;
}

// x = n + f with |f| at most 1/2, and 2^f = e^(f ln 2) by its series, which ends where terms fall below rounding: .35^14 / 14! < 2^-57.
double Exp2(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  if (x < -1000) return 0;
  const double whole = std::floor(x + 0.5);
  const double y = (x - whole) * kLn2;
  double series = 1;
  for (int term = 14; term > 0; --term) series = 1 + y / term * series;
  return std::ldexp(series, static_cast<int>(whole));
}

}  // namespace tada
