#pragma once

// What the local search of `compact` did, for the report.

#include <cstdint>
#include <vector>

#include "partition/engine/problem.h"

namespace tada {

struct SearchRecord {
  int effort = 0;
  double label_share = 0;
  uint64_t groups_before = 0, groups_after = 0;
  double ncp_before = 0, ncp_after = 0;
  double label_before = 0, label_after = 0;  ///< label loss (row_labels.h), where the label has a share
  /// (1 - share) NCP + share x label loss: of the start, then after each round.
  std::vector<double> loss;
};

void ReportSearch(const SearchRecord& record, StageNotes& notes);

}  // namespace tada
