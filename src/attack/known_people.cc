#include "attack/known_people.h"

#include <algorithm>

namespace tada {
namespace {

// The kinds of the rows of each person, each once.
std::vector<std::vector<uint32_t>> KindsOfPeople(const Matches& matches, const std::vector<uint32_t>& person_of,
                                                 uint32_t people) {
  std::vector<std::vector<uint32_t>> kinds(people);
  for (uint32_t kind = 0; kind < matches.kinds.count(); ++kind) {
    for (const RowId row : matches.kinds.members(kind)) kinds[person_of[row]].push_back(kind);
  }
  for (auto& of_person : kinds) {
    std::sort(of_person.begin(), of_person.end());
    of_person.erase(std::unique(of_person.begin(), of_person.end()), of_person.end());
  }
  return kinds;
}

}  // namespace

std::vector<std::vector<uint32_t>> PeopleOfClasses(const Classes& classes, const Matches& matches,
                                                   const std::vector<uint32_t>& person_of) {
  std::vector<std::vector<uint32_t>> people(classes.count());
  for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
    for (const uint32_t index : matches.of_kind(kind)) {
      for (const RowId row : matches.kinds.members(kind)) people[index].push_back(person_of[row]);
    }
  }
  for (auto& of_class : people) {
    std::sort(of_class.begin(), of_class.end());
    of_class.erase(std::unique(of_class.begin(), of_class.end()), of_class.end());
  }
  return people;
}

uint64_t PeopleOfKind(const Matches& matches, size_t kind, const std::vector<std::vector<uint32_t>>& of_class,
                      std::vector<uint64_t>& stamps, uint64_t& stamp) {
  ++stamp;
  uint64_t count = 0;
  for (const uint32_t index : matches.of_kind(kind)) {
    for (const uint32_t who : of_class[index]) {
      count += stamps[who] == stamp ? 0 : 1;
      stamps[who] = stamp;
    }
  }
  return count;
}

KnownPeople AttackKnownPeople(const Matches& matches, const std::vector<std::vector<uint32_t>>& of_class,
                              const std::vector<uint32_t>& person_of, uint32_t people, uint64_t most_steps) {
  KnownPeople found;
  const auto kinds = KindsOfPeople(matches, person_of, people);
  uint64_t steps = 0;
  for (const auto& of_person : kinds) {
    for (const uint32_t kind : of_person) {
      for (const uint32_t index : matches.of_kind(kind)) steps += of_class[index].size();
    }
  }
  const uint64_t every = std::max<uint64_t>(1, (steps + most_steps - 1) / most_steps);
  std::vector<uint64_t> stamps(people, 0);  // the last row that a person fits, counted over all
  uint64_t stamp = 0;
  found.fewest = UINT64_MAX;
  for (uint32_t who = 0; who < people; who = static_cast<uint32_t>(who + every)) {
    uint64_t fitting = 0;
    bool first = true;
    for (const uint32_t kind : kinds[who]) {  // stamps rise by one with every row that fits
      ++stamp;
      fitting = 0;
      for (const uint32_t index : matches.of_kind(kind)) {
        for (const uint32_t other : of_class[index]) {
          if (stamps[other] == stamp || (!first && stamps[other] != stamp - 1)) continue;
          stamps[other] = stamp;
          ++fitting;
        }
      }
      first = false;
    }
    ++stamp;  // nobody of the next person fits by what this one left
    ++found.people;
    if (fitting == 0) continue;  // not in the release
    found.fewest = std::min(found.fewest, fitting);
    found.average += 1.0 / static_cast<double>(fitting);
    found.alone += fitting == 1 ? 1 : 0;
  }
  if (found.fewest == UINT64_MAX) found.fewest = 0;
  found.highest = found.fewest == 0 ? 0 : 1.0 / static_cast<double>(found.fewest);
  found.average /= static_cast<double>(std::max<uint64_t>(1, found.people));
  found.alone /= static_cast<double>(std::max<uint64_t>(1, found.people));
  return found;
}

}  // namespace tada
