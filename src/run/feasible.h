#pragma once

// Whether a requirement can be met at all, known without forming a group; and the requirement of a plan, bound to what methods work on, for whoever
// forms groups without a method, as advise does.

#include <memory>
#include <string>
#include <vector>

#include "privacy/check/checker.h"
#include "run/anonymize.h"
#include "run/inspect/people.h"

namespace tada {

/// Of the rows of one controller.
struct Feasibility {
  std::string controller;  ///< "" when there is only one
  uint64_t members = 0;    ///< its people, or rows where those are people
  std::string largest;     ///< what all of them in one group reach: "k=45222, l=6"
  Status status;
};

/// Of every controller that the plan asks for.
Result<std::vector<Feasibility>> FindFeasible(const Table& table, const Plan& plan);

struct BoundRequirement {
  std::unique_ptr<const Workplace> place;  ///< rows, or people who have several; the checkers refer to it
  std::vector<Controller> controllers;     ///< their rows are of the table
  std::vector<Checker> checkers;           ///< one per controller, over the rows of place
};

/// Pre: the table outlives the result.
Result<BoundRequirement> BindRequirement(const Plan& plan, const BoundPlan& bound, const Table& table);

}  // namespace tada
