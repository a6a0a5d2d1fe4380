#pragma once

// Means, variances, marginals and correlations of a table, by how its columns are read.

#include <vector>

#include "compare/column_reading.h"
#include "compare/compare.h"

namespace tada {

/// Columns of a table to describe, in the same order for all tables.
struct ReadColumns {
  std::vector<std::string> names;
  std::vector<const Column*> columns;  ///< of the table itself: its cells
  std::vector<ColumnReading> readings;
};

/// The parts of a column that its marginal counts: values of names, ranges of numbers; the same for all tables.
class MarginalParts {
 public:
  /// Up to 50 values, commonest first, and all others; numbers and dates in up to ten ranges with about as many rows each.
  MarginalParts(const Column& original, const ColumnReading& reading);
  const std::vector<std::string>& labels() const { return labels_; }
  /// The part that a value belongs to.
  size_t Find(const ColumnReading::Value& value) const;

 private:
  void MakeRanges(const ColumnReading& reading);
  void MakeValues(const ColumnReading& reading);

  bool ranges_ = false;
  bool dates_ = false;
  std::vector<double> upper_;  // ends of the ranges, but for the last
  std::vector<std::string> values_, labels_;
};

std::vector<ColumnFigures> DescribeColumns(const ReadColumns& table, const std::vector<MarginalParts>& parts);
std::vector<Correlation> FindCorrelations(const ReadColumns& table, const Workers& workers);

}  // namespace tada
