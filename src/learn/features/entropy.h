#pragma once

// x log2 x, from which entropies of counts are summed: n H = n log2 n - sum c log2 c. Small arguments come from a table, so
// that every sum is over the same doubles in the same order wherever it is computed.

#include <cstdint>

#include "base/log2.h"

namespace tada {

inline constexpr uint64_t kXLog2XEntries = 1 << 14;
/// The table: x log2 x for every x below kXLog2XEntries.
const double* XLog2XTable();

/// x * log2(x); 0 for 0. `table`: as XLog2XTable() gives it, for loops that ask for it once.
inline double XLog2X(uint64_t x, const double* table) {
  return x < kXLog2XEntries ? table[x] : static_cast<double>(x) * Log2(static_cast<double>(x));
}
inline double XLog2X(uint64_t x) {
  static const double* const kTable = XLog2XTable();
  return XLog2X(x, kTable);
}

}  // namespace tada
