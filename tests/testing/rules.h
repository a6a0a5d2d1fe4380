#pragma once

// What rules are found on, for tests: a table's rows under hierarchies, and its label.

#include <numeric>
#include <vector>

#include "hierarchy/hierarchy.h"
#include "rules/scorer.h"

namespace tada::testing {

struct RuleParts {
  RuleParts(const Table& table, const std::vector<ColumnId>& columns, std::vector<Hierarchy> given, ColumnId label)
      : hierarchies(std::move(given)),
        rows(table, columns, Pointers(hierarchies), AllRows(table)),
        labels(MakeLabelRows(table.column(label), AllRows(table), 10, 1)),
        scorer(rows, labels) {}
  RuleParts(const RuleParts&) = delete;  // the scorer refers to its neighbors

  std::vector<Hierarchy> hierarchies;
  LevelRows rows;
  LabelRows labels;
  RuleScorer scorer;

 private:
  static std::vector<const Hierarchy*> Pointers(const std::vector<Hierarchy>& hierarchies) {
    std::vector<const Hierarchy*> pointers;
    for (const Hierarchy& hierarchy : hierarchies) pointers.push_back(&hierarchy);
    return pointers;
  }
  static std::vector<RowId> AllRows(const Table& table) {
    std::vector<RowId> rows(table.num_rows());
    std::iota(rows.begin(), rows.end(), RowId{0});
    return rows;
  }
};

}  // namespace tada::testing
