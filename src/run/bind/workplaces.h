#pragma once

// What methods work on, for a plan and a table: the rows, or people who have several; with what is counted in them, and
// the checker of each controller's requirement over it.

#include <memory>
#include <vector>

#include "privacy/check/checker.h"
#include "run/bind/controllers.h"
#include "run/inspect/people.h"

namespace tada {

/// What groups are made of. The requirements of `controllers` become those that are asked of its rows, and their lists of rows become
/// its own. Pre: the table outlives the result.
Result<Workplace> FindWorkplace(const Table& table, const Plan& plan, const BoundPlan& bound,
                                std::vector<Controller>& controllers);

/// Says for every demand of which column it is and how it is counted.
Status ResolveAll(const Workplace& place, std::vector<Controller>& controllers);

/// Of the rows of one controller, by number.
Checker CheckerOf(const Workplace& place, const Requirement& requirement, size_t part);

struct BoundRequirement {
  std::unique_ptr<const Workplace> place;  ///< rows, or people who have several; the checkers refer to it
  std::vector<Controller> controllers;     ///< their rows are of the table
  std::vector<Checker> checkers;           ///< one per controller, over the rows of place
};

/// The requirement of a plan, for whoever forms groups without a method, as advise does. Pre: the table outlives the result.
Result<BoundRequirement> BindRequirement(const Plan& plan, const BoundPlan& bound, const Table& table);

}  // namespace tada
