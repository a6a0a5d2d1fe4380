#pragma once

// What a node holds of one quasi-identifier, value by value (an AVC set of RainForest, kept sparse): how many rows have the
// value, and how its rows spread over each label and each sensitive column. From it every split of the column can be
// judged without another look at the rows.

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "partition/split_engine.h"

namespace tada {

/// A label as split searches see it.
struct LabelView {
  uint32_t column = 0;  ///< among the node rows
  Code num_values = 0;
  std::vector<double> numbers;  ///< of a numeric label, by value; NaN for missing. Empty: the label is a class.
  double scale = 1;             ///< weight of the label / its impurity over all rows
  bool numeric() const { return !numbers.empty(); }
};

/// The labels of a problem. A numeric label is a number here if the task is regression or if it stands beside a label of
/// names; a classification of numeric labels alone takes their values as classes.
std::vector<LabelView> LabelViews(const Problem& problem, const NodeRows& rows);

/// Counts of the values of another column, per value of this one; only those above 0, ascending.
struct SparseCounts {
  std::vector<uint32_t> begin;  ///< by value of this column, and the end
  std::vector<Code> value;
  std::vector<uint32_t> count;
};

/// Sums of a numeric label, per value of this column.
struct LabelSums {
  double rows = 0, sum = 0, squares = 0;
};

class ValueTable {
 public:
  /// Counts the positions of a node. `labels` and the sensitive columns of the checker (if it needs values) are spread.
  void Count(const Problem& problem, const NodeRows& rows, const Node& node, uint32_t column,
             std::span<const LabelView> labels);

  size_t size() const { return codes_.size(); }
  Code code(size_t i) const { return codes_[i]; }
  uint32_t rows(size_t i) const { return rows_[i]; }
  /// The place of a code that occurs.
  size_t Find(Code code) const {
    return static_cast<size_t>(std::lower_bound(codes_.begin(), codes_.end(), code) - codes_.begin());
  }
  const SparseCounts& label(size_t t) const { return labels_[t]; }
  const std::vector<LabelSums>& sums(size_t t) const { return sums_[t]; }
  const SparseCounts& sensitive(size_t s) const { return sensitive_[s]; }

 private:
  friend class DenseCounts;
  template <class T>
  void CountValues(std::span<const T> codes, Code low, Code high);
  void Spread(const NodeRows& rows, const Node& node, uint32_t column, uint32_t other, Code num_values,
              SparseCounts& out);
  void SpreadNumeric(const NodeRows& rows, const Node& node, uint32_t column, const LabelView& label,
                     std::vector<LabelSums>& out);

  std::vector<Code> codes_;
  std::vector<uint32_t> rows_;
  std::vector<SparseCounts> labels_, sensitive_;
  std::vector<std::vector<LabelSums>> sums_;
  Code low_ = 0;
  std::vector<uint32_t> index_of_;  // by code - low
  std::vector<uint32_t> dense_;
  std::vector<uint64_t> keys_;
};

/// The counts of all columns of a node at once, as plain arrays over the whole domains. They add and subtract, so that of the
/// children of a split all but the largest are counted and the largest is what is left of the parent.
class DenseCounts {
 public:
  /// Number of counters a node takes; compare with its size to see whether they pay.
  static size_t Cells(const Problem& problem, std::span<const LabelView> labels);

  DenseCounts(const Problem& problem, std::span<const LabelView> labels);
  void Add(const NodeRows& rows, uint32_t begin, uint32_t end);
  void Subtract(const DenseCounts& part);
  /// The same as ValueTable::Count over the rows that were added.
  void Fill(uint32_t column, ValueTable& table) const;

 private:
  struct Spread {
    uint32_t other = 0;  // column among the node rows
    Code num_values = 0;
    size_t first = 0;  // where its counters begin, in cells_
  };
  struct PerColumn {
    Code num_codes = 0;
    size_t first_rows = 0;
    std::vector<Spread> labels, sensitive;
  };
  std::vector<PerColumn> columns_;
  std::vector<uint32_t> cells_;
};

}  // namespace tada
