#pragma once

// Sample weights: how many people of the population each row stands for (--weights).

#include <span>
#include <vector>

#include "base/status.h"
#include "table/column.h"

namespace tada {

/// The weight of each code of a column; kData says where there is none, or one that is not a number above 0.
Result<std::vector<double>> WeightOfCodes(const Column& column);

/// The same by value, in millionths, rounded down (kWeightUnits in privacy/models/max_risk.h): so that they add up exactly.
Result<std::vector<uint64_t>> WeightsOf(const Column& column, std::span<const Code> value_of_code, Code num_values);

}  // namespace tada
