#pragma once

// A requirement bound to a table: asked millions of times whether a group is good enough.

#include <memory>
#include <span>
#include <vector>

#include "privacy/model.h"
#include "privacy/requirement.h"
#include "table/table.h"

namespace tada {

class Checker {
 public:
  /// A sensitive column as the checker counts it: spellings of one value are one.
  struct Sensitive {
    ColumnId column = 0;
    Code num_values = 0;
    std::vector<Code> value_of_code;
  };

  Checker(const Requirement& requirement, const Table& table, const std::vector<ColumnId>& sensitive);

  const Requirement& requirement() const { return requirement_; }
  /// No group of fewer rows can pass.
  uint64_t smallest_group() const { return smallest_group_; }
  /// Whether sensitive values matter at all; if not, the number of rows decides.
  bool needs_values() const { return needs_values_; }
  /// If the number of different values decides (distinct l, at most 64 values per column): that l; else 0. Callers may
  /// then keep bit masks instead of tallies.
  uint32_t distinct_l() const { return distinct_l_; }
  const std::vector<Sensitive>& sensitive() const { return sensitive_; }

  Tally EmptyTally() const;
  /// The tally of some rows of the table.
  Tally Count(std::span<const RowId> rows) const;
  void Add(RowId row, Tally& tally) const;

  /// Whether a group with this tally meets the requirement.
  bool Holds(const Tally& tally) const;
  bool Holds(std::span<const RowId> rows) const { return Holds(Count(rows)); }
  bool KeptByMerging() const;

  /// Ok if rows with this tally could be one group, else kInfeasible naming the largest k and l that they allow.
  Status Feasible(const Tally& tally) const;

 private:
  const Table* table_;
  Requirement requirement_;
  std::vector<Sensitive> sensitive_;
  std::vector<std::unique_ptr<PrivacyModel>> models_;
  uint64_t smallest_group_ = 1;
  bool needs_values_ = false;
  uint32_t distinct_l_ = 0;
};

}  // namespace tada
