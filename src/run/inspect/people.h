#pragma once

// People with several rows each. k, l and all other requirements count different people then.
//   person    rows that are equal in all columns that name people; a row that has none of them is a person of its own.
//   unit      a row of a made-up table that stands for a person, so that methods which move rows move people:
//             placed by the smallest code of each quasi-identifier over the person's rows, with all of the person's
//             sensitive values. Groups of units become groups of all their rows (--person <column>:together).
//   apart     rows may go anywhere; the person, and the pair of person and sensitive value, are counted as columns.
// Where nobody has two rows, none of this is needed, and the table is worked on as it is.

#include <vector>

#include "groups/groups.h"
#include "hierarchy/hierarchy.h"
#include "privacy/check/checker.h"
#include "privacy/requirement.h"
#include "table/table.h"

namespace tada {

struct PeopleOfRows {
  std::vector<uint32_t> of_row;  ///< numbered by their first rows
  uint32_t count = 0;
  bool repeated() const { return count < of_row.size(); }
};

/// Pre: there is at least one column.
PeopleOfRows FindPeople(const Table& table, const std::vector<ColumnId>& columns);

/// How many people have rows with different values of a column.
uint32_t PeopleInSeveral(const Table& table, const std::vector<ColumnId>& person, ColumnId column);

/// The k that each code of a column asks for: a whole number, or nothing (0). kData says where anything else stands.
Result<std::vector<uint64_t>> OwnKOfCodes(const Column& column);
/// The same by value.
Result<std::vector<uint64_t>> OwnKOf(const Column& column, std::span<const Code> value_of_code, Code num_values);

/// What methods work on instead of a table and the rows of its controllers.
class Workplace {
 public:
  /// The rows themselves. Pre: the table outlives this.
  static Workplace OfRows(const Table& table, std::vector<CountedColumn> counted,
                          std::vector<std::vector<RowId>> parts);
  /// A unit for every person of every part.
  static Workplace OfUnits(const Table& table, const Roles& roles, std::vector<CountedColumn> counted,
                           const PeopleOfRows& people, const std::vector<std::vector<RowId>>& parts);
  /// The rows, with people to be counted.
  static Workplace OfRowsApart(const Table& table, std::vector<CountedColumn> counted, const PeopleOfRows& people,
                               std::vector<std::vector<RowId>> parts);

  const Table& table() const { return made_.num_columns() > 0 ? made_ : *table_; }
  const std::vector<CountedColumn>& counted() const { return counted_; }
  /// Hierarchies that sensitive columns are compared by; one a sensitive column, nothing for those that have none.
  void SetLevels(const std::vector<std::optional<Hierarchy>>& hierarchies);
  /// The rows of a part: of table().
  const std::vector<RowId>& rows(size_t part) const { return parts_[part]; }
  /// Gives them away.
  std::vector<RowId> TakeRows(size_t part) { return std::move(parts_[part]); }
  /// The rows that groups of a part are compared with.
  std::vector<RowId> ReferenceRowsOf(size_t part, ReferenceRows reference) const;
  /// Groups of rows of table() as groups of rows of the original table.
  Groups Expand(Groups groups) const;

 private:
  const Table* table_ = nullptr;
  Table made_;
  std::vector<CountedColumn> counted_;
  std::vector<std::vector<RowId>> parts_;
  std::vector<std::vector<RowId>> rows_of_unit_;  // empty: rows are rows
};

}  // namespace tada
