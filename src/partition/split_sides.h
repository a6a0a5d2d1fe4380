#pragma once

// The two sides of a binary split while a search moves the values of a column from the right to the left, one by one: how
// impure the labels are on both sides, and whether both sides meet the requirement. All of it is updated by what moves, so
// a sweep over all splits of a column costs what the column's value table holds.

#include <span>
#include <vector>

#include "partition/value_table.h"
#include "privacy/tally.h"

namespace tada {

class SplitSides {
 public:
  SplitSides(const Problem& problem, std::span<const LabelView> labels);

  /// Puts every value of the table on the right.
  void Start(const ValueTable& table);
  void MoveLeft(const ValueTable& table, size_t value) { Move(table, value, right_, left_); }
  void MoveRight(const ValueTable& table, size_t value) { Move(table, value, left_, right_); }

  uint64_t left_rows() const { return left_.tally.rows; }
  uint64_t right_rows() const { return right_.tally.rows; }
  /// Sum over the labels of scale * (impurity of the left + impurity of the right). The impurity of a class is rows * entropy
  /// in bits, that of a number the sum of squared deviations.
  double Impurity() const { return SideImpurity(left_) + SideImpurity(right_); }
  /// Whether both sides have enough rows; cheap, ask it before Holds().
  bool LargeEnough() const { return left_rows() >= smallest_ && right_rows() >= smallest_; }
  /// Whether both sides meet the requirement.
  bool Holds() const;

 private:
  struct Side {
    Tally tally;                       // of the sensitive columns
    std::vector<ValueCounts> classes;  // one a label that is a class
    std::vector<double> log_sums;      // sum of c log2 c over its classes, kept up to date for many classes
    std::vector<LabelSums> sums;       // one a label that is a number
  };
  void Move(const ValueTable& table, size_t value, Side& from, Side& to);
  double SideImpurity(const Side& side) const;
  void Clear(Side& side);

  const Checker& checker_;
  std::span<const LabelView> labels_;
  uint64_t smallest_;
  Side left_, right_;
};

}  // namespace tada
