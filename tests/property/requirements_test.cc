// What every kind of requirement promises: the checker counts as the definition does, and two groups that are good enough are
// good enough together.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "privacy/check/checker.h"
#include "property/random_case.h"
#include "testing/tables.h"

namespace tada::testing {
namespace {

struct Sides {
  std::vector<RowId> left, right, both;
};

// Two disjoint sets of rows.
Sides DrawSides(size_t num_rows) {
  Sides sides;
  const auto where = *rc::gen::container<std::vector<int>>(num_rows, rc::gen::element(0, 1, 2));
  for (RowId row = 0; row < num_rows; ++row) {
    if (where[row] == 0) sides.left.push_back(row);
    if (where[row] == 1) sides.right.push_back(row);
    if (where[row] < 2) sides.both.push_back(row);
  }
  return sides;
}

std::vector<ColumnId> SensitiveIds(const Case& c) {
  std::vector<ColumnId> ids;
  for (const PlannedColumn& column : c.plan.sensitive) ids.push_back(c.table.Find(column.name).value());
  return ids;
}

RC_GTEST_PROP(EveryRequirement, IsCheckedAsItIsDefined, ()) {
  const Case c = DrawCase({.max_rows = 40});
  const Sides sides = DrawSides(c.table.num_rows());
  const Checker checker(c.plan.requirement, c.table, SensitiveIds(c));
  RC_LOG() << Describe(c);
  if (!sides.left.empty()) {
    RC_ASSERT(checker.Holds(sides.left) == NaiveHolds(c.table, SensitiveIds(c), sides.left, c.plan.requirement));
    RC_ASSERT(checker.Feasible(checker.Count(sides.left)).ok() == checker.Holds(sides.left));
  }
  RC_ASSERT(!checker.Holds(sides.left) || sides.left.size() >= checker.smallest_group());
}

RC_GTEST_PROP(EveryRequirement, IsKeptByMergingWhenItSaysSo, ()) {
  // Large tables and a small k, so that most draws have two valid sides.
  Case c = *rc::gen::resize(100, rc::gen::exec([] { return DrawCase({.max_rows = 80}); }));
  c.plan.requirement.k = *rc::gen::inRange(1, 4);
  const Sides sides = DrawSides(c.table.num_rows());
  const Checker checker(c.plan.requirement, c.table, SensitiveIds(c));
  RC_LOG() << Describe(c);
  RC_PRE(checker.KeptByMerging());
  RC_PRE(checker.Holds(sides.left) && checker.Holds(sides.right));
  RC_ASSERT(checker.Holds(sides.both));
}

}  // namespace
}  // namespace tada::testing
