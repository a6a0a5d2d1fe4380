#pragma once

// An attack on people who have several rows: by somebody who knows one row of a person, and by somebody who knows them all.
//   fits   a person fits a row if one of their rows could be a released row that this row could be, too. Whoever knows all rows of a
//          person is left with the people who fit all of them.

#include <cstdint>
#include <vector>

#include "attack/matches.h"

namespace tada {

struct KnownPeople {
  uint64_t people = 0;  ///< attacked
  uint64_t fewest = 0;  ///< people who fit all rows of a person: of the person with fewest
  double highest = 0;   ///< chance to pick the right person: 1 / fewest
  double average = 0;
  double alone = 0;  ///< share of people whom nobody else fits
};

/// By class of the release: the different people who have a row that it covers. `person_of`: of every row that was matched.
std::vector<std::vector<uint32_t>> PeopleOfClasses(const Classes& classes, const Matches& matches,
                                                   const std::vector<uint32_t>& person_of);

/// How many different people the candidates of a kind cover.
uint64_t PeopleOfKind(const Matches& matches, size_t kind, const std::vector<std::vector<uint32_t>>& of_class,
                      std::vector<uint64_t>& stamps, uint64_t& stamp);

/// Attacks people by all of their rows; at most about `most_steps` comparisons, over people at equal distances.
KnownPeople AttackKnownPeople(const Matches& matches, const std::vector<std::vector<uint32_t>>& of_class,
                              const std::vector<uint32_t>& person_of, uint32_t people,
                              uint64_t most_steps = 300'000'000);

}  // namespace tada
