#pragma once

// Partitioning problems for tests.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "partition/engine/problem.h"
#include "testing/tables.h"

namespace tada::testing {

/// A problem and everything it refers to.
struct ProblemParts {
  Roles roles;
  OptionValues options;
  StageNotes notes;
  NoProgress progress;
  Workers workers{2};
  Checker checker;
  Problem problem;

  ProblemParts(const Table& table, Roles roles_given, Requirement requirement, OptionValues options_given = {})
      : roles(std::move(roles_given)),
        options(std::move(options_given)),
        checker(requirement, table, roles.sensitive),
        problem{table,
                roles,
                roles.label.empty() ? Task::kNone : Task::kClassification,
                std::vector<double>(roles.label.size(), 1.0),
                checker,
                options,
                1,
                workers,
                progress,
                notes,
                FindDomains(table, roles, Groups::Whole(table.num_rows()).order(), workers)} {}
};

inline ProblemParts MakeProblem(const Table& table, const std::vector<std::string>& quasi,
                                const std::vector<std::string>& sensitive, const std::vector<std::string>& label,
                                Requirement requirement) {
  return ProblemParts(table, {Ids(table, quasi), Ids(table, sensitive), Ids(table, label), {}}, requirement);
}

/// The groups as sets of row numbers, counted from `first`.
inline std::set<std::set<int>> RowSets(const Groups& groups, int first = 0) {
  std::set<std::set<int>> sets;
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    std::set<int> rows;
    for (const RowId row : groups.rows(group)) rows.insert(static_cast<int>(row) + first);
    sets.insert(std::move(rows));
  }
  return sets;
}

}  // namespace tada::testing
