#pragma once

// From groups to a release: every group gets one cell in each quasi-identifier, as narrow as its rows allow.
//   numeric      all rows alike: the value; else the interval from smallest to largest; missing mixed with present: `*`.
//   categorical  all rows alike: the value; else the set of values that occur.

#include "base/workers.h"
#include "groups/groups.h"
#include "recode/release.h"

namespace tada {

struct RecodeOptions {
  /// Releases rows in input order. Off by default, because the order of rows identifies.
  bool keep_order = false;
  /// Shuffles the rows together with the table's own content, so that knowing the seed does not undo it.
  uint64_t seed = 1;
};

/// Pre: every row of the table is in one of the groups, or in none if it is withheld; the table outlives the release.
Release Recode(const Table& table, const Roles& roles, const Groups& groups, const RecodeOptions& options,
               const Workers& workers);

/// The cells of one column for groups: what Recode does with each quasi-identifier.
ReleasedColumn RecodeColumn(const Table& table, ColumnId column, const Groups& groups);

}  // namespace tada
