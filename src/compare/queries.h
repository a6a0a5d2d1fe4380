#pragma once

// Count queries over quasi-identifiers: how many rows meet all conditions, in the original and as a release tells.
//   condition   some values of a column: a range of numbers, a set of names.
// Made-up ones have a condition on each of one to three columns, around a row drawn at random, so that none is empty.

#include <vector>

#include "compare/column_reading.h"
#include "compare/compare.h"

namespace tada {

struct CountCondition {
  size_t column = 0;      ///< among the quasi-identifiers
  bool is_range = false;  ///< of numbers from low to high
  double low = 0, high = 0;
  std::vector<std::string> values;  ///< sorted; "" is "missing"
  bool Holds(const ColumnReading::Value& value) const;
};

struct CountQuery {
  std::vector<CountCondition> where;
  double weight = 1;
};

/// Draws queries; `columns` are the quasi-identifiers of the original and how they are read.
std::vector<CountQuery> MakeUpQueries(const std::vector<const Column*>& columns,
                                      const std::vector<ColumnReading>& readings, uint64_t count, uint64_t seed);

/// Those of a workload that count. Errors name a column that is no quasi-identifier and a bound that is no number.
Result<std::vector<CountQuery>> FindQueries(const std::vector<Query>& workload,
                                            const std::vector<const Column*>& columns);

/// The rows that meet each query, as far as cells tell: conditions are taken to be met independently inside the cells of a row.
std::vector<double> AnswerQueries(const std::vector<CountQuery>& queries, const std::vector<const Column*>& columns,
                                  const std::vector<ColumnReading>& readings, const Workers& workers);

QueryErrors CompareAnswers(const std::vector<CountQuery>& queries, const std::vector<double>& before,
                           const std::vector<double>& after, uint64_t rows);

}  // namespace tada
