#pragma once

// The two sides of a binary split while a search moves the values of a column from the right to the left, one by one: how
// impure the labels are on both sides, and whether both sides meet the requirement. All of it is updated by what moves, so
// a sweep over all splits of a column costs what the column's value table holds.

#include <span>
#include <vector>

#include "learn/features/entropy.h"
#include "partition/engine/splits/value_table.h"
#include "privacy/tally.h"

namespace tada {

class SplitSides {
 public:
  SplitSides(const Problem& problem, std::span<const LabelView> labels);

  /// Puts every value of the table on the right. Callers that know which splits meet the requirement leave the sensitive
  /// values out, and don't ask Holds().
  void Start(const ValueTable& table, bool with_sensitive = true);
  /// Puts them there again, if any was moved.
  void StartAgain(const ValueTable& table) {
    if (moved_) Start(table, with_sensitive_);
  }
  void MoveLeft(const ValueTable& table, size_t value) { Move(table, value, right_, left_); }
  void MoveRight(const ValueTable& table, size_t value) { Move(table, value, left_, right_); }

  uint64_t left_rows() const { return left_.tally.rows; }
  uint64_t right_rows() const { return right_.tally.rows; }
  /// Sum over the labels of scale * (impurity of the left + impurity of the right). The impurity of a class is rows * entropy
  /// in bits, that of a number the sum of squared deviations.
  double Impurity() const { return SideImpurity(left_) + SideImpurity(right_); }
  /// Whether the one label has two classes that weigh the same, and nothing else is followed: then a sweep may keep the two counts itself.
  bool two_classes() const {
    return only_classes_ && labels_.size() == 1 && labels_[0].num_values == 2 && !labels_[0].weighed();
  }
  /// Impurities by what is on the left, for loops that have the counts themselves; the same doubles as Impurity() then.
  struct TwoClasses {
    const double* logs;
    double scale;
    uint32_t zeros, ones;  ///< of both sides

    /// `in_table`: whether all rows of the node are fewer than the table of logarithms has.
    template <bool in_table>
    double Impurity(uint32_t left_zeros, uint32_t left_ones) const {
      return OfSide<in_table>(left_zeros, left_ones) + OfSide<in_table>(zeros - left_zeros, ones - left_ones);
    }
    bool InTable() const { return uint64_t{zeros} + ones < kXLog2XEntries; }

   private:
    template <bool in_table>
    double Log(uint32_t count) const {
      return in_table ? logs[count] : XLog2X(count, logs);
    }
    template <bool in_table>
    double OfSide(uint32_t side_zeros, uint32_t side_ones) const {
      return scale * (Log<in_table>(side_zeros + side_ones) - (Log<in_table>(side_zeros) + Log<in_table>(side_ones)));
    }
  };
  /// Pre: two_classes(), and all values are on the right.
  TwoClasses two() const { return {logs_, labels_[0].scale, right_.classes[0], right_.classes[1]}; }
  /// Whether both sides have enough rows; cheap, ask it before Holds().
  bool LargeEnough() const { return left_rows() >= smallest_ && right_rows() >= smallest_; }
  /// Whether both sides meet the requirement.
  bool Holds() const;

 private:
  struct Side {
    Tally tally;                    // of the sensitive columns
    std::vector<uint32_t> classes;  // rows by class, of all labels with few classes
    std::vector<ValueCounts> many;  // one per label with many classes
    std::vector<double> log_sums;   // of those: sum of c log2 c over the classes, kept up to date
    std::vector<LabelSums> sums;    // one per label that is a number
  };
  void Move(const ValueTable& table, size_t value, Side& from, Side& to) {
    moved_ = true;
    from.tally.rows -= table.rows(value);
    to.tally.rows += table.rows(value);
    const uint32_t* const moved = table.classes(value);
    for (size_t c = 0; c < from.classes.size(); ++c) {
      from.classes[c] -= moved[c];
      to.classes[c] += moved[c];
    }
    if (only_classes_) return;
    MoveLabels(table, value, from, to);
    if (with_sensitive_) MoveSensitive(table, value, from, to);
  }
  void MoveLabels(const ValueTable& table, size_t value, Side& from, Side& to);
  void MoveSensitive(const ValueTable& table, size_t value, Side& from, Side& to);
  /// Few classes are summed anew each time, always in the same order, so that equal counts give equal doubles; the sum over
  /// many is kept up to date, which may differ in the last bits.
  double SideImpurity(const Side& side) const {
    double impurity = 0;
    for (size_t t = 0; t < labels_.size(); ++t) {
      const LabelView& label = labels_[t];
      if (label.numeric()) {
        impurity += label.scale * side.sums[t].Deviations();
        continue;
      }
      double log_sum = 0;
      if (label.few_classes()) {
        const uint32_t* const counts = side.classes.data() + label.first_class;
        if (label.weighed()) {
          impurity += label.scale * WeighedImpurity(label, counts);
          continue;
        }
        for (Code c = 0; c < label.num_values; ++c) log_sum += XLog2X(counts[c], logs_);
      } else {
        log_sum = side.log_sums[t];
      }
      impurity += label.scale * (XLog2X(side.tally.rows, logs_) - log_sum);
    }
    return impurity;
  }
  /// Summed over the contexts: the rows of each, as their classes weigh, times the entropy of those.
  static double WeighedImpurity(const LabelView& label, const uint32_t* counts);
  void Clear(Side& side);
  void StartLabels(const ValueTable& table);

  const Checker& checker_;
  std::span<const LabelView> labels_;
  uint64_t smallest_;
  bool all_few_;                // labels have few classes, each
  bool with_sensitive_ = true;  // as Start was told
  bool only_classes_ = false;   // nothing moves but rows and classes
  bool moved_ = false;          // since Start
  const double* logs_ = XLog2XTable();
  Side left_, right_;
};

}  // namespace tada
