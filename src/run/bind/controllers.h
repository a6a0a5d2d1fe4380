#pragma once

// Data controllers: whose rows are whose, each with a requirement of its own. Without any, all rows are one controller's.

#include <string>
#include <vector>

#include "run/bind/bind_plan.h"

namespace tada {

/// The rows of one data controller, and what is required of them.
struct Controller {
  std::string name;  ///< the value of the controller column, or a number from 1 on; "" when there is only one
  std::vector<RowId> rows;
  Requirement requirement;
};

/// Those that the plan asks for; one that it has a section for and the table does not have is an error.
Result<std::vector<Controller>> FindControllers(const Plan& plan, const BoundPlan& bound, const Table& table);

/// Those that a column of the table names.
std::vector<Controller> ControllersOf(const Column& column, const Plan& plan);

/// Where rows of a person can be told, people who have equally many rows, with equal gaps between their dates, hide among each other
/// only: each of these parts is anonymized by itself. kInfeasible if one has fewer than k people. Pre: LinksRows(plan).
Result<std::vector<Controller>> PartBySigns(const Plan& plan, const BoundPlan& bound, const Table& table,
                                            const std::vector<Controller>& controllers);

}  // namespace tada
