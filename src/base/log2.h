#pragma once

// The logarithm, and the power of two, that splits are chosen by. Those of C libraries differ in the last bit between versions, and with and without
// fused multiply-add; one bit decides a tie, and then another split and another release. This one is additions,
// multiplications and one division, rounded one by one, hence the same everywhere.

namespace tada {

/// log2(x) to about one unit in the last place; exact for powers of two. Pre: x is positive and finite.
double Log2(double x);
/// 2^x to about one unit in the last place; 0 below 2^-1000. Pre: x is at most 1000.
double Exp2(double x);

}  // namespace tada
