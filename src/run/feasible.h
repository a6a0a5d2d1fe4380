#pragma once

// Whether a requirement can be met at all, known without forming a group.

#include <string>
#include <vector>

#include "plan/plan.h"
#include "table/table.h"

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

}  // namespace tada
