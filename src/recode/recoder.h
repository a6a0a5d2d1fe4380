#pragma once

// From groups to a release: every group gets one cell in each quasi-identifier, as narrow as its rows allow.
//   numeric      all rows alike: the value; else the interval from smallest to largest; missing mixed with present: `*`.
//   categorical  all rows alike: the value; else the set of values that occur.
//   hierarchy    a column that has one shows the label of the lowest node above all rows of the group; or, if the groups come
//                from a method that recodes whole columns, the label at the level that it chose.

#include "base/workers.h"
#include "groups/groups.h"
#include "hierarchy/hierarchy.h"
#include "recode/release.h"

namespace tada {

struct RecodeOptions {
  /// Releases rows in input order. Off by default, because the order of rows identifies.
  bool keep_order = false;
  /// Shuffles the rows together with the table's own content, so that knowing the seed does not undo it.
  uint64_t seed = 1;
  /// Of the quasi-identifiers, in the order of their roles; null for a column that has none. Empty: no column has one.
  std::vector<const Hierarchy*> hierarchies = {};
  /// Columns of the table that have nothing to do with the release: they name people, or were only looked at.
  std::vector<ColumnId> aside = {};
};

/// Pre: every row of the table is in one of the groups, or in none if it is withheld; the table outlives the release.
Release Recode(const Table& table, const Roles& roles, const Groups& groups, const RecodeOptions& options,
               const Workers& workers);

/// The cells of one column for groups: what Recode does with each quasi-identifier.
ReleasedColumn RecodeColumn(const Table& table, ColumnId column, const Groups& groups);

/// The same by a hierarchy; `index` is the column's place among the quasi-identifiers.
ReleasedColumn RecodeByHierarchy(const Table& table, ColumnId column, size_t index, const Hierarchy& hierarchy,
                                 const Groups& groups);

}  // namespace tada
