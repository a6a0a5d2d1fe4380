#pragma once

// How long `compact` searches, and how freely: the rounds of a search, from the effort, the rows and the groups that it starts with.

#include <cstdint>
#include <vector>

#include "partition/compact/region_search.h"
#include "partition/engine/problem.h"

namespace tada {

/// One round: how every region is searched, in how many copies, and whether what was there before is one of them.
struct Round {
  RegionOptions options;
  uint64_t seed = 0;  // of the round, before the problem's is mixed in
  size_t copies = 1;
  bool keeps = false;
};

inline constexpr uint64_t kRegionRows = 12000;  ///< about; larger where groups are

struct Schedule {
  std::vector<Round> rounds;
  uint64_t region_rows = kRegionRows;

  uint64_t searches_per_row() const {
    uint64_t sum = 0;
    for (const Round& round : rounds) sum += round.copies;
    return sum;
  }
};

/// How many times the windows of a table of 100,000 to a million rows a group gets, of `groups` groups of `rows` rows of one controller.
double WindowsTimes(int effort, uint64_t table_rows, uint64_t rows, uint64_t groups);

Schedule MakeSchedule(int effort, const Problem& problem, const Groups& start);

}  // namespace tada
