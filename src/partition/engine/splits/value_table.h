#pragma once

// What a node holds of one quasi-identifier, value by value (an AVC set of RainForest): how many rows have the value, and how
// its rows spread over each label and each sensitive column. From it every split of the column can be judged without
// another look at the rows.
//   classes   counters of the labels with few classes: plain arrays, one piece per value, since sweeps add and subtract them.
//   context   what a receiver sees of a row anyway. Where a label has contexts, its classes are counted in each by themselves, and
//             its impurity is the sum of theirs: what a split tells about the label beyond its context.
//   mask      which sensitive values occur, as bits: all that distinct l asks where a column has at most 64 values.
// Labels with many classes and requirements that need more than masks have lists of the counts above 0.

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "groups/raw_vector.h"
#include "partition/engine/split_engine.h"

namespace tada {

/// The steps of a missing number.
inline constexpr int64_t kNoNumber = std::numeric_limits<int64_t>::min();

/// A label as split searches see it.
struct LabelView {
  uint32_t column = 0;  ///< among the node rows
  Code num_values = 0;  ///< classes; where there are contexts, those of all of them: context * classes + class
  Code contexts = 1;
  std::vector<double> class_weights = {};  ///< what a row of each class counts, on average 1; empty: all alike
  /// Of a numeric label, by value: whole steps from the middle of its range, kNoNumber for missing. Sums of steps are exact, so
  /// that no order of rows and no division of them changes a sum. Empty: the label is a class.
  std::vector<int64_t> steps;
  double scale = 1;          ///< weight of the label / its impurity over all rows
  uint32_t first_class = 0;  ///< of a label with few classes: where its counters begin among ValueTable::classes
  bool numeric() const { return !steps.empty(); }
  Code num_classes() const { return num_values / contexts; }
  /// Whether rows are more than counted by class.
  bool weighed() const { return contexts > 1 || !class_weights.empty(); }
  bool few_classes() const { return !numeric() && (num_values <= 32 || weighed()); }
};

/// The labels of a problem. A numeric label is a number here if the task is regression or if it stands beside a label of
/// names; a classification of numeric labels alone takes their values as classes.
/// `counts`: of all rows of the controller where `rows` are only some; empty: they are all.
using LabelCounts = std::vector<std::vector<uint64_t>>;  ///< rows by value, of each label
std::vector<LabelView> LabelViews(const Problem& problem, const NodeRows& rows, const LabelCounts& counts = {});
/// Sets first_class of each label, one behind the other.
void NumberClasses(std::span<LabelView> labels);
/// Number of classes of all labels with few of them.
uint32_t NumFewClasses(std::span<const LabelView> labels);

/// Counts of the values of another column, per value of this one; only those above 0, ascending.
struct SparseCounts {
  std::vector<uint32_t> begin;  ///< by value of this column, and the end
  std::vector<Code> value;
  std::vector<uint32_t> count;
};

/// Appends the counts of one more value of this column.
void AppendNonZero(std::span<const uint32_t> counts, SparseCounts& out);

/// Sums of a numeric label over some rows, exact. Steps have so few bits that squares * rows stays below 2^125.
struct LabelSums {
  __extension__ using Wide = __int128;
  int64_t rows = 0, sum = 0;
  Wide squares = 0;

  void Add(int64_t steps, int64_t times = 1) {
    if (steps == kNoNumber) return;
    rows += times, sum += steps * times, squares += Wide{steps} * steps * times;
  }
  void Add(const LabelSums& other) { rows += other.rows, sum += other.sum, squares += other.squares; }
  void Remove(const LabelSums& other) { rows -= other.rows, sum -= other.sum, squares -= other.squares; }
  double Mean() const { return rows == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(rows); }
  /// Squared deviations from the mean, in steps squared.
  double Deviations() const {
    if (rows == 0) return 0;
    return static_cast<double>(squares * rows - Wide{sum} * sum) / static_cast<double>(rows);
  }
};

class ValueTable {
 public:
  /// Counts the positions of a node. `labels` and the sensitive columns of the checker (if it needs values) are spread.
  /// A column of one value cannot be split, so only its rows are counted, unless the table is a `part` of a larger one.
  void Count(const Problem& problem, const NodeRows& rows, const Node& node, uint32_t column,
             std::span<const LabelView> labels, bool part = false);

  size_t size() const { return codes_.size(); }
  Code code(size_t i) const { return codes_[i]; }
  std::span<const Code> codes() const { return codes_; }
  uint32_t rows(size_t i) const { return rows_[i]; }
  /// The place of a code that occurs.
  size_t Find(Code code) const {
    return static_cast<size_t>(std::lower_bound(codes_.begin(), codes_.end(), code) - codes_.begin());
  }
  /// Rows of value i by class, of all labels with few classes, one label behind the other.
  const uint32_t* classes(size_t i) const { return classes_.data() + i * num_classes_; }
  const std::vector<LabelSums>& sums(size_t t) const { return sums_[t]; }
  /// The sensitive values among the rows of value i, as bits. Pre: checker.distinct_l() > 0.
  uint64_t mask(size_t s, size_t i) const { return masks_[s][i]; }

  /// Calls f(class, rows) for every class of label number t among the rows of value i, ascending.
  template <class F>
  void ForEachClass(const LabelView& label, size_t t, size_t i, const F& f) const {
    if (!label.few_classes()) return ForEachCount(labels_[t], i, f);
    const uint32_t* const counts = classes(i) + label.first_class;
    for (Code value = 0; value < label.num_values; ++value) {
      if (counts[value] > 0) f(value, counts[value]);
    }
  }
  /// Calls f(mark, rows) for every mark of sensitive column s among the rows of value i, ascending. Where masks do, how
  /// many rows there are is not known, and f is told of one.
  template <class F>
  void ForEachSensitive(size_t s, size_t i, const F& f) const {
    if (masks_.empty()) return ForEachCount(sensitive_[s], i, f);
    for (uint64_t mask = masks_[s][i]; mask != 0; mask &= mask - 1) f(static_cast<Code>(std::countr_zero(mask)), 1u);
  }

 private:
  friend class DenseCounts;
  friend class TableParts;
  template <class F>
  static void ForEachCount(const SparseCounts& counts, size_t i, const F& f) {
    for (uint32_t at = counts.begin[i]; at < counts.begin[i + 1]; ++at) f(counts.value[at], counts.count[at]);
  }
  void Restart(const Checker& checker, std::span<const LabelView> labels);
  /// The same, but values that were counted before stay, to be written over.
  void Shape(const Checker& checker, std::span<const LabelView> labels);
  void Resize(size_t num_values);
  template <class T>
  void FindValues(std::span<const T> codes, Code num_codes);
  template <class T>
  bool CountTwoClasses(const Problem& problem, const NodeRows& rows, const Node& node, std::span<const T> codes,
                       uint32_t column, uint32_t label);
  /// `marks`: of the sensitive column; nullptr_t if there is none.
  template <class Counter, class T, class Marks>
  void CountInto(std::span<const T> codes, Code num_codes, std::span<const uint8_t> ones, Marks marks);
  template <bool marked, class Counter, class T>
  void Collect(std::span<const T> codes, Code num_codes, Counter* counters, uint64_t* words);
  void CountClasses(const NodeRows& rows, const Node& node, const LabelView& label);
  void Spread(const NodeRows& rows, const Node& node, uint32_t other, Code num_values, SparseCounts& out);
  void SpreadNumeric(const NodeRows& rows, const Node& node, const LabelView& label, std::vector<LabelSums>& out);
  void SpreadSensitive(const Checker& checker, const NodeRows& rows, const Node& node);

  RawVector<Code> codes_;
  RawVector<uint32_t> rows_;
  uint32_t num_classes_ = 0;
  RawVector<uint32_t> classes_;
  std::vector<SparseCounts> labels_, sensitive_;  // those that have no classes_ or masks_
  std::vector<std::vector<LabelSums>> sums_;
  std::vector<RawVector<uint64_t>> masks_;
  std::vector<uint32_t> place_;  // of each position of the node: which value it has
  std::vector<uint32_t> dense_;
  std::vector<uint64_t> keys_;
};

}  // namespace tada
