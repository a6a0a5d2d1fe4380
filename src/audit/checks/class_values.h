#pragma once

// The sensitive values of classes, counted: over rows as they are released, or over people where those are known.

#include <vector>

#include "audit/checks/folding.h"
#include "audit/checks/value_shares.h"
#include "audit/classes/classes.h"
#include "audit/classes/verdict.h"

namespace tada {

class ClassValues {
 public:
  /// Without any class yet; values are numbered as the column is folded.
  ClassValues(const Column& column, const Requirement& requirement)
      : column_(&column), folded_(FoldColumn(column, requirement)) {}
  /// Over rows as they are released.
  static ClassValues OfRows(const Table& release, const AuditOptions& options, ColumnId id, const Classes& classes);

  /// Takes the values of the next class, one per row, or one per person and value.
  void Add(std::vector<Code>& values, uint64_t members);
  void Compare(ReferenceShares reference) { reference_ = std::move(reference); }

  /// The column that values are numbered by.
  const Column& column() const { return *column_; }
  const FoldedColumn& folded() const { return folded_; }
  Code value_of(Code code) const { return folded_.value_of_code[code]; }
  size_t num_classes() const { return members_.size(); }
  ClassShares shares(size_t index) const {
    return {std::span(counts_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]), members_[index],
            totals_[index]};
  }
  const ReferenceShares& reference() const { return reference_; }

 private:
  const Column* column_ = nullptr;
  FoldedColumn folded_;
  std::vector<ValueCount> counts_;  // class by class
  std::vector<size_t> offsets_{0};
  std::vector<uint64_t> members_, totals_;
  ReferenceShares reference_;
};

}  // namespace tada
