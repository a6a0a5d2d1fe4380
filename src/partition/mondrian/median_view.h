#pragma once

// What Mondrian asks about a node before it cuts it, and its cuts. Two answer: the rows of the node where they are at hand
// (median_rows.h), and value tables where they are spread over machines (median_tables.h). The choice itself is made once,
// in mondrian.cc.
//   axis   one column of a node: how wide it is, and where its codes lie.
// Take... makes a cut if every side of it meets the requirement, sizes included; a cut that was taken is remembered.

#include <cstdint>
#include <span>

#include "base/fault.h"
#include "base/ids.h"
#include "partition/engine/problem.h"

namespace tada {

struct Axis {
  double span = 0;
  uint32_t column = 0;
  Code low = 0, high = 0;
};

/// The two middle codes of a node; equal when the number of rows is odd.
struct Middle {
  Code lower, upper;
};

/// No side of a cut has fewer rows.
inline uint64_t SmallestSide(const Problem& problem) {
  return TADA_FAULT("split-rows") ? 1 : problem.checker.smallest_group();
}

class MedianView {
 public:
  explicit MedianView(uint64_t num_rows) : num_rows_(num_rows) {}
  virtual ~MedianView() = default;
  uint64_t num_rows() const { return num_rows_; }
  /// Sets low and high of the axis of a column; the span is the caller's.
  virtual Axis FindAxis(uint32_t column) = 0;
  /// The share of a column's values below the node of its hierarchy that covers all rows.
  virtual double SpanByHierarchy(uint32_t column) = 0;
  virtual Middle FindMiddle(const Axis& axis) = 0;
  /// Rows by code - axis.low, valid until the next question.
  virtual std::span<const uint32_t> CountCodes(const Axis& axis) = 0;

  /// Codes from `cut` on go right, the others left.
  virtual bool TakeCut(const Axis& axis, Code cut) = 0;
  /// As TakeCut at `middle`, but the rows that have it are dealt so that the sides come as near to equal as they can.
  virtual bool TakeRelaxed(const Axis& axis, Code middle) = 0;
  /// Each code goes to side_of[code - axis.low].
  virtual bool TakeSides(const Axis& axis, std::span<const uint16_t> side_of) = 0;
  /// Into the children of the hierarchy's node that covers all rows: how many, 0 if the cut is not possible.
  virtual uint32_t TakeHierarchy(uint32_t column) = 0;

 private:
  uint64_t num_rows_;
};

}  // namespace tada
