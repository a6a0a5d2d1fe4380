#pragma once

// A requirement bound to a table: asked millions of times whether a group is good enough.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "privacy/model.h"
#include "privacy/requirement.h"
#include "table/table.h"

namespace tada {

/// Columns of a table as the checker counts them: the one place where sensitive texts become the values that are counted.
std::vector<CountedColumn> CountedColumns(const Table& table, const std::vector<ColumnId>& columns,
                                          const Requirement& requirement);

class Checker {
 public:
  /// Pre: the table outlives the checker. `rows` are those of the controller, which models may compare groups with.
  Checker(const Requirement& requirement, const Table& table, const std::vector<ColumnId>& sensitive,
          std::span<const RowId> rows);
  /// The same for columns that the caller has bound.
  Checker(const Requirement& requirement, const Table& table, std::vector<CountedColumn> counted,
          std::span<const RowId> rows);
  /// The same where the controller's rows are not all in the table: `reference` counts them, when a model asks.
  using CountReference = std::function<Tally(const Checker&)>;
  Checker(const Requirement& requirement, const Table& table, std::vector<CountedColumn> counted,
          const CountReference& reference);
  /// The same for all rows of the table.
  Checker(const Requirement& requirement, const Table& table, const std::vector<ColumnId>& sensitive);

  /// Asks the same of the values, and `rows` rows in place of what the requirement asks: for samples.
  Checker WithSmallestGroup(uint64_t rows) const;

  const Requirement& requirement() const { return requirement_; }
  /// No group of fewer rows can pass.
  uint64_t smallest_group() const { return smallest_group_; }
  /// Whether sensitive values matter at all; if not, the number of rows decides.
  bool needs_values() const { return needs_values_; }
  /// If the number of rows and the number of different values decide, and no column has more than 64: how many different
  /// ones there must be. Else 0. Callers may then keep bit masks instead of tallies.
  uint32_t distinct_l() const { return distinct_l_; }
  const std::vector<CountedColumn>& sensitive() const { return sensitive_; }

  Tally EmptyTally() const;
  /// The tally of some rows of the table.
  Tally Count(std::span<const RowId> rows) const;
  void Add(RowId row, Tally& tally) const;
  /// Counts a mark of a sensitive column, or takes it away again; the number of rows is the caller's to count.
  void AddMark(size_t s, Code mark, Tally& tally, uint32_t rows = 1) const {
    sensitive_[s].ForEachValue(mark, [&](Code value) { tally.columns[s].Add(value, rows); });
  }
  void RemoveMark(size_t s, Code mark, Tally& tally, uint32_t rows = 1) const {
    sensitive_[s].ForEachValue(mark, [&](Code value) { tally.columns[s].Remove(value, rows); });
  }

  /// Whether a group with this tally meets the requirement.
  bool Holds(const Tally& tally) const;
  bool Holds(std::span<const RowId> rows) const { return Holds(Count(rows)); }
  /// Whether the values of a group with this tally meet what is asked of them, however many rows it has.
  bool ValuesHold(const Tally& tally) const;
  bool KeptByMerging() const;
  bool FailingIsInherited() const;

  /// Whether one more row with these values, by sensitive column, would help a group that fails (PrivacyModel::Wanted).
  using Wanted = std::function<bool(Code value, uint32_t count)>;
  std::vector<Wanted> WantedBy(const Tally& tally, size_t column) const;

  /// Ok if rows with this tally could be one group, else kInfeasible naming the largest k and l that they allow.
  Status Feasible(const Tally& tally) const;

 private:
  const Table* table_;
  Requirement requirement_;
  std::vector<CountedColumn> sensitive_;
  std::vector<std::shared_ptr<const PrivacyModel>> models_;
  uint64_t smallest_group_ = 1;
  bool needs_values_ = false;
  uint32_t distinct_l_ = 0;
};

}  // namespace tada
