#pragma once

// Which boxes of two lists overlap, without comparing all with all: both lists are split along a place of a column, again
// and again, until few pairs are left or splitting stops helping. A box that reaches over the place goes to both sides; a
// pair is reported only where the corner at which its overlap begins lies, so each is reported once.

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/workers.h"

namespace tada {

struct BoxList {
  size_t num_columns = 0, count = 0;
  std::vector<int32_t> low,
      high;  ///< box i, column c at [c * count + i]; both ends included. No `high`: points. Only points may meet boxes that end
             ///< before they begin; these overlap with none

  /// Boxes of these sizes, at place 0.
  static BoxList Of(size_t num_columns, size_t count) {
    return {num_columns, count, std::vector<int32_t>(num_columns * count), std::vector<int32_t>(num_columns * count)};
  }
  static BoxList OfPoints(size_t num_columns, size_t count) {
    return {num_columns, count, std::vector<int32_t>(num_columns * count), {}};
  }
};

using BoxPairs = std::span<const std::pair<uint32_t, uint32_t>>;

/// Calls found(pairs) with every overlapping pair, each once, some at a time. Several workers call it at once and in any order; one
/// worker in an order that depends on the boxes alone. Compares at most `limit` pairs and returns how many it did compare; more than
/// `limit` means that it gave up.
uint64_t JoinBoxes(const BoxList& a, const BoxList& b, uint64_t limit, const Workers& workers,
                   const std::function<void(BoxPairs)>& found);

}  // namespace tada
