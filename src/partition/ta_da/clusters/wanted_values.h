#pragma once

// Which sensitive values would help a group that fails the requirement, as its models say (PrivacyModel::Wanted). It is only
// advice: what a group may keep or give away is always asked of the checker.

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
    std::vector<Checker::Wanted> wanted;            // by model
    std::vector<std::pair<Code, uint32_t>> counts;  // values that occur, ascending
  };
  static bool Wants(const Column& column, Code value);

  std::vector<Column> columns_;
};

}  // namespace tada
