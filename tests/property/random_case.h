#pragma once

// Random tables and plans for property tests, drawn through rapidcheck so that a failing one shrinks, and a second reading of
// the requirements, written from the definitions and for small tables only.

#include <string>
#include <vector>

#include "partition/registry.h"
#include "run/anonymize/anonymize.h"

namespace tada::testing {

/// A table of a few dozen rows and a plan for it. Columns q0.. are quasi-identifiers, s0.. sensitive, y a label of names, z a numeric one.
struct Case {
  Table table;
  Plan plan;
};

struct CaseLimits {
  int max_rows = 60;
  bool diverse = true;  ///< sensitive columns and l above 1
  int max_controllers = 2;
};

/// Draws a case; to be called inside rc::check.
Case DrawCase(const CaseLimits& limits);

/// The plan with this method and task, and the label that the task needs.
Plan WithMethod(const Plan& plan, const MethodEntry& method, Task task);

/// The case as CSV and TOML, to be logged.
std::string Describe(const Case& c);

/// What the released file would hold, as a table of texts.
Table Texts(const Release& release);

/// Sometimes asks a method that takes --label-share for it, and for no other option.
void DrawLabelShare(const MethodEntry& method, Plan& plan);

/// Whether `rows` as one group meet the requirement, counted the slow way on the texts of the sensitive columns.
bool NaiveHolds(const Table& table, const std::vector<ColumnId>& sensitive, const std::vector<RowId>& rows,
                const Requirement& requirement);

}  // namespace tada::testing
