#pragma once

// An order of the rows of a table that is a function of its rows and not of the order they came in. A method that decides by
// position (draws, first come first served, ties to the first) is given the rows in this order, so that it releases the same
// rows however the input was sorted.

#include <optional>
#include <vector>

#include "groups/groups.h"
#include "run/bind/controllers.h"

namespace tada {

/// The rows by controller and quasi-identifiers. Rows that agree in those are in an order that looks random but follows from
/// the seed and their other columns with a role: were it sorted, methods would deal equal rows into groups of one sensitive
/// value each. Only rows that agree in all of these columns may change places when the input is reordered. `by_quasi_alone`: the other
/// columns play no part (--safe), so rows that agree in the quasi-identifiers may change places.
std::vector<RowId> CanonicalRows(const Table& table, const BoundPlan& bound, uint64_t seed,
                                 bool by_quasi_alone = false);

/// Whether distributions are compared, for anybody (MethodContext::compares_distributions).
bool ComparesDistributions(const Plan& plan);

/// The rows in the order in which the plan's method, and whoever deals rows to controllers, sees them; nothing: as they came.
std::optional<std::vector<RowId>> RowsAsSeen(const Table& table, const Plan& plan, const BoundPlan& bound);

/// The table as methods see it: as it came, or, where positions decide something, in canonical order. Pre: the table outlives this.
class OrderedTable {
 public:
  OrderedTable(const Table& table, const Plan& plan, const BoundPlan& bound);
  const Table& table() const { return ordered_ ? *ordered_ : table_; }

  /// Turns row ids of table() into those of the table that was given.
  void Rename(Groups& groups, std::vector<Controller>& controllers) const;

 private:
  const Table& table_;
  std::vector<RowId> names_;
  std::optional<Table> ordered_;
};

}  // namespace tada
