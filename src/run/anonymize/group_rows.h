#pragma once

// One group of a release, before and after: what shows a person how it works. The rows are raw, so this is confidential.

#include <string>
#include <vector>

#include "run/anonymize/anonymize.h"

namespace tada {

struct GroupRows {
  struct Column {
    std::string name, role;
    bool alike = false;  ///< all rows had the same value anyway
    std::string after;   ///< what is released of a quasi-identifier
  };
  uint64_t group = 0, groups = 0;                ///< which one, from 1, of how many
  uint64_t size = 0;                             ///< its rows
  std::vector<Column> columns;                   ///< released ones
  std::vector<std::vector<std::string>> before;  ///< the first rows of it
};

/// Group `number`, from 1; 0 picks one that shows most: a small one in which several columns differ. kInvalidArgument beyond the last.
Result<GroupRows> RowsOfGroup(const Table& table, const Anonymized& made, uint64_t number, size_t most_rows = 20);

}  // namespace tada
