#pragma once

// A plan's columns found in a table.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// A plan's columns found in a table.
struct BoundPlan {
  Roles roles;
  Task task = Task::kNone;
  std::string method;
  std::optional<ColumnId> controller_column;
  std::optional<ColumnId> k_column;  ///< in which rows ask for a k of their own
  std::vector<ColumnId> person;      ///< columns that together name a person; empty: every row is one
};

/// Finds the plan's columns in the table and fills in what follows from them; kInvalidArgument names what is not there.
Result<BoundPlan> BindPlan(const Plan& plan, const Table& table);

/// The column that an option names; kInvalidArgument suggests the nearest one.
Result<ColumnId> FindColumn(const Table& table, const std::string& name, std::string_view option);

}  // namespace tada
