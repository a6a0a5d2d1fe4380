#pragma once

// x log2 x, from which entropies of counts are summed: n H = n log2 n - sum c log2 c. Small arguments come from a table, so
// that every sum is over the same doubles in the same order wherever it is computed.

#include <cstdint>

namespace tada {

/// x * log2(x); 0 for 0.
double XLog2X(uint64_t x);

}  // namespace tada
