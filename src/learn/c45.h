#pragma once

// What trees of the C4.5 family count with.

#include <span>

namespace tada {

/// x log2 x; 0 for 0.
double XLogX(double x);
/// n times the entropy of counts that sum up to n, in bits.
double InfoOf(std::span<const double> counts);
/// The z that a standard normal variable exceeds with probability `tail`.
double NormalQuantile(double tail);
/// Errors to add to `errors` observed among `rows`, so that the sum is the upper limit at the confidence (C4.5's U_CF); `z` is
/// NormalQuantile(confidence).
double AddedErrors(double rows, double errors, double confidence, double z);

}  // namespace tada
