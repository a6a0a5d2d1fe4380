#pragma once

// Rows of a group that agree in every quasi-identifier and every sensitive value need not be looked at one by one: one of
// them stands for all, with their number as its weight. A method whose decisions depend on counts only (not on which row is
// which) gives the same groups either way, and is faster where a table has many equal rows.

#include <vector>

#include "partition/engine/problem.h"

namespace tada {

class EqualRows {
 public:
  /// Whether equal rows are frequent enough to be worth collapsing, by a sample of pairs.
  static bool Pay(const Problem& problem, const Groups& groups);

  EqualRows(const Problem& problem, const Groups& groups);

  /// The groups with one row for each set of equal rows.
  const Groups& representatives() const { return representatives_; }
  /// How many rows each stands for, in the order of representatives().
  const std::vector<uint32_t>& weights() const { return weights_; }
  /// Groups of representatives turned back into groups of all rows.
  Groups Expand(const Groups& groups) const;

 private:
  Groups representatives_;
  std::vector<uint32_t> weights_;
  std::vector<uint32_t> number_of_row_;  // by row id, of representatives
  std::vector<uint32_t> first_member_;   // by number, and the end
  std::vector<RowId> members_;
};

}  // namespace tada
