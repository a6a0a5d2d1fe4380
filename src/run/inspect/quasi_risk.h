#pragma once

// How identifying quasi-identifiers are, and what each column adds to it: fast enough to be asked while somebody changes roles.
//   class    rows that are alike in all quasi-identifiers.
//   unique   a row that is alone in its class; a person who is, where columns name people.
// A class is known by the sum of random numbers, one per column and value, modulo 2^64, so that a column is taken out or put in by
// one subtraction per row. Two classes share a sum with a chance below 10^-5 even among ten million.

#include <cstdint>
#include <string>
#include <vector>

#include "base/workers.h"
#include "run/inspect/people.h"
#include "table/table.h"

namespace tada {

struct QuasiRisk {
  /// Classes of at least `from` members, and fewer than the next bin has.
  struct SizeBin {
    uint64_t from = 0, to = 0;  ///< `to` 0: no end
    uint64_t members = 0;       ///< rows, or people, in such classes
  };
  uint64_t members = 0;  ///< rows of the table; people, where columns name them
  uint64_t unique = 0, classes = 0, below_k = 0;
  std::vector<SizeBin> sizes;
  /// By column: how many would be unique without it if it is a quasi-identifier, and with it if it is not.
  std::vector<uint64_t> unique_if_changed;
};

/// `people`: of the rows; null if every row is a person. `changes`: whether to fill in unique_if_changed.
QuasiRisk MeasureQuasiRisk(const Table& table, const std::vector<ColumnId>& quasi, const PeopleOfRows* people,
                           uint64_t k, bool changes, const Workers& workers);

/// What the values of a column look like, in at most `bins` numbers: rows by equal parts of the range of a number, rows of the
/// commonest values of a name, commonest first. Missing values are left out.
std::vector<uint64_t> ColumnShape(const Column& column, size_t bins);

}  // namespace tada
