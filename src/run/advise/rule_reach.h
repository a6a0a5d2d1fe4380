#pragma once

// What a recoding of whole columns reaches of a plan's requirement besides the k of the whole table: the l of its classes,
// and with several controllers the k and l that the rows of each have by themselves. Lowering a level never raises either.

#include <optional>
#include <vector>

#include "groups/level_rows.h"
#include "privacy/check/checker.h"
#include "run/anonymize.h"

namespace tada {

struct RuleReach {
  std::optional<uint64_t> l;             ///< of the least diverse class; nothing if no column is sensitive
  std::optional<uint64_t> controller_k;  ///< rows of the smallest class of a controller; nothing if there is one
  bool meets = true;                     ///< the values of every class are as is asked of it
};

class Reach {
 public:
  /// Pre: the table outlives this.
  static Result<Reach> Make(const Plan& plan, const BoundPlan& bound, const Table& table);

  /// Whether there is anything to find: a sensitive column, or several controllers.
  bool matters() const { return sensitive_ || checkers_.size() > 1; }
  /// Of classes of all rows of the table, in its order. Called by several threads at once.
  RuleReach Of(const LevelClasses& classes) const;

 private:
  Reach(const Plan& plan, const BoundPlan& bound, const Table& table, const std::vector<Controller>& controllers);
  // The classes of each controller's rows, and whose each is.
  LevelClasses Cut(const LevelClasses& classes, std::vector<uint32_t>& controller_of_class) const;

  Checker counter_;  // counts sensitive values
  bool sensitive_;
  std::vector<uint32_t> controller_of_row_;  // empty if there is one
  std::vector<Checker> checkers_;            // one per controller
};

}  // namespace tada
