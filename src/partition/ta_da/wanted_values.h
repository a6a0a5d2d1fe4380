#pragma once

// Which sensitive values would help a group that fails l. For each sensitive column, over the counts of the group's m rows, a value
// is wanted if it occurs less often than a limit:
//   distinct     1 if there are fewer than l values, else 0: values that are not there.
//   entropy      m/l: one more row of a value with a share below 1/l raises an entropy that is below ln l.
//   recursive    the (l-1)th largest count, 1 if there are fewer values: one more row then joins the tail c_l + c_{l+1} + ...
// It is only advice: what a group may keep or give away is always asked of the checker.

#include <vector>

#include "partition/engine/problem.h"

namespace tada {

class WantedValues {
 public:
  WantedValues(const Checker& checker, const Tally& tally);

  /// Whether one more row with this row's values would help.
  bool Wants(const Problem& problem, RowId row) const;

 private:
  struct Column {
    double limit = 0;
    std::vector<std::pair<Code, uint32_t>> counts;  // values that occur, ascending
  };
  std::vector<Column> columns_;
};

}  // namespace tada
