#pragma once

// Statistics over repeated splits of one table. The splits share rows, so their results are not independent and the usual t test
// finds differences where there are none; Nadeau and Bengio (2003) widen the variance by test rows / training rows. All intervals
// and tests here do.

#include <limits>
#include <span>

namespace tada {

/// A figure that there is none of.
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct MeanInterval {
  double mean = 0, low = 0, high = 0;  ///< 95%; one value alone has no interval: low and high are NaN
};

/// `test_ratio` is test rows / training rows of each split; 0 for repetitions that are independent.
MeanInterval MeanOf(std::span<const double> values, double test_ratio);

/// The two-sided p of "the mean of these paired differences is 0"; 1 if all are 0 or there are fewer than two.
double PairedP(std::span<const double> differences, double test_ratio);

/// The chance that a t variable with this many degrees of freedom is farther from 0 than `t`.
double StudentTail(double t, double freedom);

}  // namespace tada
