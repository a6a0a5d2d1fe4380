#pragma once

// People with several rows each, as the audit counts them: which original rows stand in each class, and whose they are. The
// release does not say it; the order of its rows does, or an assignment in which every original row fits into one class only.
//   person   original rows that are equal in all columns that name people; a row that has none of them is one by itself.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "audit/checks/class_values.h"
#include "audit/classes/classes.h"
#include "audit/classes/verdict.h"

namespace tada {

/// The class that each original row stands in.
struct ClassOfOriginal {
  static constexpr uint32_t kNone = UINT32_MAX;  ///< withheld
  std::vector<uint32_t> of_row;
  bool known = false;
};

class PeopleOfClasses {
 public:
  /// Pre: `classes_of` is known. `controllers`: a column whose values each keep their own rows of a person together.
  PeopleOfClasses(const Table& original, std::span<const ColumnId> person, const ClassOfOriginal& classes_of,
                  size_t num_classes, std::optional<ColumnId> controllers = std::nullopt);

  /// Different people of a class.
  uint64_t count(size_t index) const { return people_[index]; }
  /// Different people of all classes.
  uint64_t total() const { return total_; }
  /// The l that a class reaches in an original column, counted over people as `requirement` says.
  std::vector<uint64_t> ReachedL(const Column& original, const Requirement& requirement) const;
  /// Different pairs of a value of an original column and a person, ascending.
  struct Values {
    std::vector<std::pair<Code, uint32_t>> values;
    uint64_t people = 0;
  };
  /// Of a class.
  std::vector<std::pair<Code, uint32_t>> ValuesOf(const Column& original, const FoldedColumn& folded,
                                                  size_t index) const;
  /// Of all classes, or, if there are any, of these original rows.
  Values ValuesOf(const Column& original, const FoldedColumn& folded, std::span<const RowId> rows) const;
  /// People whose rows (of one controller) stand in more than one class.
  uint64_t num_apart() const { return num_apart_; }

 private:
  void CountApartOf(const Column& controllers, const ClassOfOriginal& classes_of);

  std::vector<uint32_t> person_of_;       // by original row
  std::vector<uint32_t> rows_, offsets_;  // original rows, class by class
  std::vector<uint64_t> people_;
  uint64_t num_apart_ = 0, total_ = 0;
};

/// The sensitive values of people, class by class, by those of the original column behind a released one.
ClassValues ValuesOfPeople(const AuditOptions& options, ColumnId id, const PeopleOfClasses& people, size_t num_classes);

/// The most rows that any person has.
uint64_t MostRowsOfAPerson(const Table& original, std::span<const ColumnId> person);

}  // namespace tada
