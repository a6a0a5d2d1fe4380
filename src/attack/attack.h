#pragma once

// Simulates somebody who holds a release and knows the quasi-identifiers of persons: all of them, or some. From the released
// cells alone, ours or another tool's; the original table serves as what the attacker knows, and to tell whether they are right.
//   re-identification   picking the person's row among its candidates. The prosecutor knows that the person is in the release:
//                       1 / candidate rows. The journalist does not, so everybody in the population that a class covers is a
//                       suspect: 1 / people covered.
//   disclosure          guessing the sensitive value: the commonest one among the candidates, against the commonest one of the
//                       whole table, which anybody could guess. The gain is what the release gives away.
//   membership          telling from a match that a person is in the release: how often members match minus how often others
//                       do. Others are the people of a population who are not in the original; without a population they are
//                       made up by shuffling every column of the original by itself.
// The words are in attack/matches.h, the definitions in docs/attack.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attack/downcoding.h"
#include "attack/known_people.h"
#include "base/progress.h"
#include "base/workers.h"
#include "risk/population.h"
#include "table/table.h"

namespace tada {

struct AttackOptions {
  std::vector<std::string> quasi, sensitive;
  /// Columns of the original that together name a person, who may have several rows; empty: every row is one. The prosecutor then
  /// picks a person among those whom the candidates cover, and people are also attacked by all of their rows.
  std::vector<std::string> person;
  /// Besides all quasi-identifiers, also every subset of at most this many is what an attacker knows.
  size_t subset_size = 0;
  /// People to attack; a table with more is sampled. 0: all. The journalist's suspects are never sampled.
  uint64_t max_people = 100'000;
  uint64_t seed = 1;
  bool exact_values = false;          ///< sensitive texts are compared as they are written (audit/checks/folding.h)
  const Table* population = nullptr;  ///< has the quasi-identifiers
  bool knows_method = false;          ///< also measures what somebody learns who knows how cells are made
};

struct Disclosure {
  std::string column;
  double guessed = 0;   ///< share of people whose value the attacker guesses; a tie is a draw among the tied
  double baseline = 0;  ///< the same without the release
  double certain = 0;   ///< share of people all of whose candidates have one value
  double gain() const { return guessed - baseline; }
};

struct AttackFigures {
  std::vector<std::string> known;
  uint64_t people = 0;  ///< attacked
  uint64_t kinds = 0;   ///< of them, as far as the attacker can tell them apart
  double matched = 0;   ///< share of people who have a candidate at all
  double prosecutor_highest = 0, prosecutor_average = 0;
  double single = 0;       ///< share of people who have one candidate row: found for certain
  double class_found = 0;  ///< share of people whose candidates are all of one class, by all quasi-identifiers
  double journalist_highest = 0, journalist_average = 0;  ///< over the released rows
  std::vector<Disclosure> disclosure;                     ///< one per sensitive column
  double others_matched = 0;
  double membership_advantage() const { return matched - others_matched; }
  std::optional<KnownPeople> by_all_rows;  ///< people who have several rows, by somebody who knows all of them
  std::vector<std::pair<uint64_t, uint64_t>> candidate_rows;  ///< how many, and of how many people; ascending
};

/// What running the method again tells about a sensitive column (commands/judge/minimality.h).
struct Minimality {
  std::string column;
  uint64_t classes = 0, people = 0;              ///< looked at
  double blind = 0, belief = 0;                  ///< means over the people
  double blind_highest = 0, belief_highest = 0;  ///< of any value, for the person it is surest about
  double gain() const { return belief - blind; }
};

struct AttackResult {
  uint64_t released_rows = 0, original_rows = 0, population_rows = 0;  ///< population 0: none given
  bool sampled = false;
  AttackFigures all;                   ///< the attacker knows every quasi-identifier
  std::vector<AttackFigures> subsets;  ///< smallest first
  bool knows_method = false;           ///< as it was asked
  std::vector<Narrowing> narrowing;    ///< with knows_method, by quasi-identifier
  std::vector<Minimality> minimality;  ///< with knows_method, where it can be measured
  /// With knows_method: the rows of the original behind each class, where its cells leave no doubt about them.
  std::vector<std::vector<RowId>> people_of_class;
  /// What the tables tell about a population that is told by its size: the raw one, and the release.
  std::optional<PopulationRisk> original_population, released_population;
  std::vector<std::string> notes;
};

/// Pre: `release` was read with its cells as they are written, sensitive columns with their kinds (as for an audit).
/// Errors are kInvalidArgument: a column that a table does not have, too many subsets; and kData: a table without rows.
Result<AttackResult> Attack(const Table& release, const Table& original, const AttackOptions& options,
                            const Workers& workers, Progress& progress);

}  // namespace tada
