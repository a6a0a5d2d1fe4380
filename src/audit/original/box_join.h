#pragma once

// Which boxes of two lists overlap, without comparing all with all: both lists are split along a place of a column, again
// and again, until few pairs are left or splitting stops helping. A box that reaches over the place goes to both sides; a
// pair is reported only where the corner at which its overlap begins lies, so each is reported once.

#include <cstdint>
#include <functional>
#include <vector>

#include "base/workers.h"

namespace tada {

struct BoxList {
  size_t num_columns = 0, count = 0;
  std::vector<double> low, high;  ///< box i, column c at [i * num_columns + c]; both ends included
};

/// Calls found(i, j) for every overlapping pair, in an order that depends on the boxes alone. Compares at most `limit` pairs
/// and returns how many it did compare; more than `limit` means that it gave up.
uint64_t JoinBoxes(const BoxList& a, const BoxList& b, uint64_t limit, const Workers& workers,
                   const std::function<void(uint32_t, uint32_t)>& found);

}  // namespace tada
