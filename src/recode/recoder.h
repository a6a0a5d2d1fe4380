#pragma once

// From groups to a release: every group gets one cell in each quasi-identifier, as narrow as its rows allow.
//   numeric      all rows alike: the value; else the interval from smallest to largest; missing mixed with present: `*`.
//   categorical  all rows alike: the value; else the set of values that occur.
//   hierarchy    a column that has one shows the label of the lowest node above all rows of the group; or, if the groups come
//                from a method that recodes whole columns, the label at the level that it chose.
//   box          groups that have boxes show these instead, whatever their rows have: numbers the interval between its cuts, names
//                the set of its values (`*` for all that the column has), a hierarchy the lowest node above them.

#include "base/workers.h"
#include "groups/groups.h"
#include "hierarchy/hierarchy.h"
#include "recode/cut_text.h"
#include "recode/rare_values.h"
#include "recode/release.h"

namespace tada {

struct RecodeOptions {
  /// Releases rows in input order, which identifies. Off: in an order that follows from the released cells alone.
  bool keep_order = false;
  /// Of the quasi-identifiers, in the order of their roles; null for a column that has none. Empty: no column has one.
  std::vector<const Hierarchy*> hierarchies = {};
  /// Of the quasi-identifiers, where the boxes of groups end that were never cut; null: the rounded extremes. May be empty.
  std::vector<const DomainBounds*> domains = {};
  /// No cell names a value of a column of names that fewer rows of the table have: it shows `*`, or what is above it in the
  /// column's hierarchy. 0: every value may be named.
  uint64_t min_member = 0;
  /// What a group with several values shows.
  enum class Several {
    kCells,  ///< an interval, a set, or a label of a hierarchy
    kMask,   ///< `*`
    kMean,   ///< numbers their mean, names the most frequent (recode/by_mean.cc): no longer true of every row
  };
  Several several = Several::kCells;
  /// The cells of the quasi-identifiers where the caller has them, in the order of their roles: those of saved cuts. Else empty.
  std::vector<ReleasedColumn> given = {};
};

/// Pre: every row of the table is in one of the groups, or in none if it is withheld; the table outlives the release.
Release Recode(const Table& table, const Roles& roles, const Groups& groups, const RecodeOptions& options,
               const Workers& workers);

/// The cells of a quasi-identifier for groups, by boxes, hierarchy or values; `index` is its place among them.
ReleasedColumn RecodeQuasi(const Table& table, ColumnId column, size_t index, const Groups& groups,
                           const RecodeOptions& options);

/// The cells of one column for groups by its values.
ReleasedColumn RecodeColumn(const Table& table, ColumnId column, const Groups& groups, const RareValues& rare = {});

/// The same by a hierarchy; `index` is the column's place among the quasi-identifiers.
ReleasedColumn RecodeByHierarchy(const Table& table, ColumnId column, size_t index, const Hierarchy& hierarchy,
                                 const Groups& groups, const RareValues& rare = {});

/// The same by the boxes that all groups have; `index` is as above, hierarchy and domain may be null.
ReleasedColumn RecodeByBox(const Table& table, ColumnId column, size_t index, const Hierarchy* hierarchy,
                           const DomainBounds* domain, const Groups& groups, const RareValues& rare = {});

/// The same with the mean of a group's numbers, and the most frequent of its names; of equally frequent ones the first. Numbers beside missing
/// ones are masked.
ReleasedColumn RecodeByMean(const Table& table, ColumnId column, const Groups& groups);

}  // namespace tada
