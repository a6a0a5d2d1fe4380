#pragma once

// The column that says how many people of the population each row stands for (--weights).

#include <string>
#include <vector>

#include "plan/plan.h"

namespace tada {

/// Of the plan and of its controllers: one, unless they disagree.
std::vector<std::string> WeightsColumns(const Plan& plan);

/// kInvalidArgument if they disagree, or if the column has another role than --keep.
Status CheckWeights(const Plan& plan);

}  // namespace tada
