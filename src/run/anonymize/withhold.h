#pragma once

// People who are left out of a release (--withhold PERCENT): those whose presence widens the cells of others most. They are gone: no row,
// no value and no label of the release comes from them, and what the others are compared with (reference, hierarchies made from the
// data) is what is left. Who goes is decided before groups are formed, by a trial run of the method over everybody; docs/outliers.md.
//   apart     rows that stand apart for the method itself: noise of a density clustering, rows short of the requirement at the
//             levels that lose least (each person left out counted as lost). They go first.
//   widest    then the groups of the trial whose cells leave most open; of the last group those farthest from the middle of the table. Not where
//             whole columns are recoded alike: there a group is no wider than the others because of its own rows.

#include <span>
#include <vector>

#include "run/anonymize/anonymize.h"

namespace tada {

/// What a trial told of the rows that are still in.
struct Trial {
  const Release& release;
  const Groups& groups;  ///< masked ones stand apart
  bool by_levels = false;
  double percent = 0;  ///< of the people, who may go
  double percent_of_widest =
      0;  ///< the same as long as only the widest groups are left: others may be the widest when they have gone
};

/// Who may go: people of each part, and how many of them have gone.
class LeavingPeople {
 public:
  /// `person_of` has the number of each row's person; empty: every row is one. `parts` are rows by controller.
  LeavingPeople(std::vector<uint32_t> person_of, std::span<const std::vector<RowId>> parts, size_t num_rows,
                double percent);

  bool gone(RowId row) const { return gone_[person(row)] != 0; }
  uint64_t num_gone() const { return num_gone_; }
  uint32_t person(RowId row) const { return person_of_.empty() ? row : person_of_[row]; }
  /// Whether any more of a part may go.
  bool full(size_t part) const { return used_[part] >= allowed_[part]; }
  /// Lets only this percentage of the people go for now.
  void Limit(double percent);
  /// The share of the people that may still go, in percent of those who are left.
  double PercentLeft() const;
  /// Lets the person of a row go if every controller that has rows of theirs may lose one more.
  void Take(RowId row);

 private:
  std::vector<uint32_t> person_of_;
  std::vector<std::vector<uint32_t>> parts_of_;  // by person
  std::vector<uint64_t> people_of_part_, allowed_, used_;
  std::vector<uint8_t> gone_;  // by person
  uint64_t num_people_ = 0, num_gone_ = 0, num_allowed_ = 0;
};

/// Takes people by a trial over `kept`, the rows of the table that are still in: row i of the trial is row kept[i]. `rank` of all rows
/// of the table, which does not depend on its order, decides between equals.
void TakeByTrial(const Trial& trial, const Roles& roles, std::span<const RowId> kept,
                 std::span<const std::vector<RowId>> parts, std::span<const RowId> rank, LeavingPeople& people);

}  // namespace tada
