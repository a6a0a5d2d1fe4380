#pragma once

// Information loss while groups are still being formed: the spans of NCP (docs/concepts.md), by code.
//   span   the share of its column's domain that a cell leaves open, 0 to 1: (hi-lo)/(max-min) of numbers,
//          (values-1)/(domain-1) of names, 1 for a numeric cell that mixes missing and present (it will be masked).
//   loss   rows of a group x the sum of its spans; the release's NCP is the loss of all groups / (rows x columns).
// Where columns have an importance (Problem::importances), every span is multiplied by it, and places with them.
// Domains are those of the whole table, as score/ counts them, also when a problem holds one controller's rows only.

#include <span>
#include <vector>

#include "groups/groups.h"
#include "partition/engine/problem.h"

namespace tada {

/// One quasi-identifier.
class ColumnLoss {
 public:
  explicit ColumnLoss(const Column& column, double importance = 1);

  bool is_numeric() const { return numeric_; }
  /// Whether no cell of this column can lose anything.
  bool is_constant() const { return num_values_ < 2; }
  Code num_codes() const { return static_cast<Code>(value_of_code_.size()); }
  Code num_values() const { return num_values_; }
  /// Of a column of names: the value a code stands for.
  Code value(Code code) const { return value_of_code_[code]; }
  bool is_missing(Code code) const { return code < num_missing_; }

  /// Of a numeric column: the span of a cell from code `low` to code `high`.
  double NumericSpan(Code low, Code high) const {
    if (low == high || is_constant()) return 0;
    if (low < num_missing_) return importance_;
    return wide_        ? importance_ * (numbers_[high] / 2 - numbers_[low] / 2) / range_
           : range_ > 0 ? importance_ * (numbers_[high] - numbers_[low]) / range_
                        : 0;
  }
  /// Of a column of names: the span of a cell of this many different values.
  double CountSpan(uint32_t values) const { return values < 2 ? 0 : (values - 1) * step_; }
  /// What each further value of a column of names costs.
  double step() const { return step_; }
  /// Of a numeric column: where a code lies between the column's smallest (0) and largest number (its importance); 0 if missing.
  double position(Code code) const {
    if (code < num_missing_ || range_ == 0) return 0;
    return importance_ * (wide_ ? (numbers_[code] / 2 - bottom_ / 2) / range_ : (numbers_[code] - bottom_) / range_);
  }
  /// What a masked cell costs, and how far its smallest and largest number are apart; 1 as a rule.
  double importance() const { return importance_; }

 private:
  bool numeric_;
  bool wide_ = false;  // max - min is beyond the largest double; range_ is half of it
  double importance_;
  Code num_values_, num_missing_;
  double bottom_ = 0, range_ = 0, step_ = 0;
  std::vector<double> numbers_;
  std::vector<Code> value_of_code_;
};

class LossModel {
 public:
  explicit LossModel(const Problem& problem);

  size_t num_columns() const { return columns_.size(); }
  const ColumnLoss& column(size_t i) const { return columns_[i]; }

  /// The sum of the spans of the cells that these rows would get as one group.
  double Spans(std::span<const RowId> rows) const;
  /// The NCP of a release with these groups; masked rows lose everything.
  double Ncp(const Groups& groups, const Workers& workers) const;

 private:
  std::vector<ColumnLoss> columns_;
  std::vector<const Column*> sources_;
};

}  // namespace tada
