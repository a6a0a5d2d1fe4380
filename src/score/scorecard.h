#pragma once

// What a release costs, in numbers: information loss by the definitions of the contract (section 6).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "recode/release.h"

namespace tada {

struct Scorecard {
  double ncp = 0;             ///< mean over rows and quasi-identifiers of cell span / column span
  double discernibility = 0;  ///< sum over classes of size squared
  double average_group = 0;   ///< rows / classes
  uint64_t groups = 0, largest_group = 0, smallest_group = 0, masked_rows = 0;
  std::vector<std::pair<std::string, double>> per_column;            ///< NCP by quasi-identifier
  std::vector<std::pair<uint64_t, uint64_t>> group_sizes;            ///< size, how many groups; ascending
};

/// Scores the recoded columns of a release; spans over the whole table. Groups with equal cells count as one class.
Scorecard Score(const Release& release, const Workers& workers);

}  // namespace tada
