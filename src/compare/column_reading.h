#pragma once

// One column of a table as a statistician reads it: each different cell as values with probabilities. Of the original every cell is its
// value. Of a release a widened cell is what decode/ makes of it, and a name of a hierarchy each of the values below it alike.

#include <span>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "table/column.h"

namespace tada {

class ColumnReading {
 public:
  static ColumnReading OfOriginal(const Column& column);
  /// `labels`, if not null, says which codes of `original` the names of a hierarchy stand for.
  static ColumnReading OfRelease(const Column& released, const Column& original, const LabelCodes* labels,
                                 const std::vector<std::string>& missing);

  /// Something that a cell may stand for.
  struct Value {
    std::string text;   ///< "" if it is missing
    double number = 0;  ///< NaN if it is none
    double weight = 0;  ///< how often it occurs in the column, as far as the cells tell; only ratios count
  };
  const std::vector<Value>& values() const { return values_; }
  size_t num_cells() const { return cells_.size(); }
  /// Rows by cell.
  const std::vector<uint64_t>& rows() const { return rows_; }
  uint64_t num_rows() const { return num_rows_; }
  uint64_t unread_rows() const { return unread_rows_; }  ///< whose cells are taken for values that nobody has

  /// By cell: the mean of a function of the value. `of_value` has an entry for each of values().
  std::vector<double> Expect(std::span<const double> of_value) const;
  /// The mean over the rows of a function of the cell.
  double MeanOverRows(std::span<const double> of_cell) const;

 private:
  struct Choice {
    uint32_t begin = 0, end = 0;  // of values_, or of lists_
    bool is_list = false;
  };
  void CountRows(const Column& column);
  uint32_t AddValue(std::string text, double number);
  void ReadLabel(Code cell, const std::vector<Code>& codes, const Column& original);

  std::vector<Value> values_;
  std::vector<Choice> cells_;
  std::vector<uint32_t> lists_;
  std::vector<uint64_t> rows_;
  uint64_t num_rows_ = 0, unread_rows_ = 0;
};

}  // namespace tada
