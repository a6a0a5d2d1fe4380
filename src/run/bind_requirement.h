#pragma once

// The requirement of a plan, bound to what methods work on: for whoever forms groups without a method, as advise does.

#include <memory>
#include <vector>

#include "privacy/check/checker.h"
#include "run/anonymize.h"
#include "run/inspect/people.h"

namespace tada {

struct BoundRequirement {
  std::unique_ptr<const Workplace> place;  ///< rows, or people who have several; the checkers refer to it
  std::vector<Controller> controllers;     ///< their rows are of the table
  std::vector<Checker> checkers;           ///< one per controller, over the rows of place
};

/// Pre: the table outlives the result.
Result<BoundRequirement> BindRequirement(const Plan& plan, const BoundPlan& bound, const Table& table);

}  // namespace tada
