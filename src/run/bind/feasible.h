#pragma once

// Whether a requirement can be met at all, known without forming a group.

#include <string>
#include <vector>

#include "run/bind/workplaces.h"

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

/// The requirement must be met by each controller's rows alone. Where it can't, names the controller with the fewest rows and, if that is
/// another, the one with the fewest sensitive values: what these two can meet of k and l, all can. Others follow if they need weaker limits.
Status CheckFeasible(const Workplace& place, const std::vector<Controller>& controllers);

}  // namespace tada
