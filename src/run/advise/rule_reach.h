#pragma once

// What a recoding reaches of a plan's requirement: the people of its smallest class, the l of its classes, whether everything else that
// is asked holds; with several controllers of the rows of each by themselves. Lowering a level never raises k or l.
//   class        rows that show the same in the release.
//   unit class   people whose rows are recoded together (run/inspect/people.h); where nobody has two rows, rows.

#include <memory>
#include <optional>
#include <vector>

#include "groups/level_rows.h"
#include "run/bind/workplaces.h"

namespace tada {

struct RuleReach {
  std::optional<uint64_t> l;             ///< of the least diverse class; nothing if no column is sensitive
  std::optional<uint64_t> controller_k;  ///< rows of the smallest class of a controller; nothing if there is one
  std::optional<uint64_t> asked_k;       ///< the k to ask of the method `levels`, if people have several rows
  bool meets = true;                     ///< everything asked besides k holds of every class
};

/// The classes that a release by levels has. A column may be at a higher level in some of them, where rows of one person differ.
struct ReleasedLevels {
  LevelClasses classes;                      ///< of the rows of the table
  std::vector<RowId> first;                  ///< of each class
  std::vector<LevelVector> levels_of_class;  ///< empty: those of the vector in every class
};

class Reach {
 public:
  /// Pre: the table and the hierarchies outlive this.
  static Result<Reach> Make(const Plan& plan, const BoundPlan& bound, const Table& table,
                            const std::vector<const Hierarchy*>& hierarchies);

  /// Whether there is anything to find besides the k of rows: a requirement on values, people, or several controllers.
  bool matters() const { return sensitive_ || asks_more_ || people() || bound_.checkers.size() > 1; }
  /// Whether people have several rows.
  bool people() const { return !rows_by_person_.empty(); }
  bool together() const { return people() && unit_rows_ != nullptr; }
  /// What level vectors are searched on.
  const LevelRows& unit_rows(const LevelRows& rows) const { return together() ? *unit_rows_ : rows; }
  const LevelRows& unit_rows(LevelRows&&) const = delete;

  /// What the release by a vector shows. Called by several threads at once.
  ReleasedLevels Show(const LevelRows& rows, const LevelVector& levels) const;
  /// Of the unit classes of a vector. Called by several threads at once.
  RuleReach Of(const LevelRows& rows, const LevelVector& levels) const;
  /// The people of the smallest class of the table, or of a controller's rows: what can be promised.
  uint64_t SmallestClass(const LevelClasses& classes) const;

 private:
  Reach() = default;
  // The classes of each controller's units, and whose each is.
  LevelClasses Cut(const LevelClasses& classes, std::vector<uint32_t>& controller_of_class) const;

  BoundRequirement bound_;
  std::shared_ptr<const Checker> counter_;  // counts sensitive values of rows
  bool sensitive_ = false, asks_more_ = false;
  std::vector<uint32_t> controller_of_row_, controller_of_unit_;  // empty if there is one
  std::vector<RowId> rows_by_person_;                             // empty if nobody has two
  std::vector<uint32_t> person_of_row_;
  const Table* table_ = nullptr;
  std::vector<ColumnId> quasi_;
  std::vector<const Hierarchy*> hierarchies_;
  std::shared_ptr<const LevelRows> unit_rows_;  // null: units are rows
};

}  // namespace tada
