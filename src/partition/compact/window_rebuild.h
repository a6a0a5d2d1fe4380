#pragma once

// Builds groups anew from the rows of a few near groups, one group after the other (k-member, Byun et al. 2007): from a seed
// row, add the row that widens the group least, until it has as many rows as the requirement needs.
//   seed      where a group starts: a random row, or the one farthest from the seed before.
//   places    rows a group still lacks. Once they are as few as the sensitive values it lacks, only rows that bring a new
//             value may join.
//   leftover  rows that are too few for another group; they are for the caller to deal out.

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "partition/compact/group_store.h"

namespace tada {

class WindowRebuild {
 public:
  explicit WindowRebuild(const GroupStore& store);

  /// Deals `rows` into groups that meet the requirement, and leftovers; false, with some rows in neither, once the groups lose
  /// more than `most`.
  bool Build(std::span<const uint32_t> rows, double most, Random& random);

  const std::vector<std::vector<uint32_t>>& groups() const { return groups_; }
  const std::vector<uint32_t>& leftovers() const { return leftovers_; }

 private:
  Code NameKey(uint32_t name, Code value) const;
  void Lay(std::span<const uint32_t> rows);
  void TakeOut(uint32_t place);
  void Start(uint32_t place);
  void Join(uint32_t place);
  void AddColumnCost(uint32_t column);
  void AddLabelCost();
  uint32_t NextSeed(bool far, Random& random) const;
  bool Grow();
  bool Complete();
  double Loss() const;
  uint32_t NearestFree() const;
  uint32_t NearestThatHelps();
  bool Helps(uint32_t row) const;
  bool Wants(uint32_t row) const;
  void FindWanted(uint64_t lacking);

  uint32_t num_columns() const { return store_.shape().num_numbers + store_.shape().num_names; }

  const GroupStore& store_;
  const uint64_t smallest_;
  // The free rows, side by side: place i of every list is the same row. Taking one out moves the last into its place.
  std::vector<uint32_t> rows_;
  std::vector<float> numbers_;     // by column, then place
  std::vector<Code> names_;        // the same, as NameKey has them
  std::vector<float> cost_;        // what the group's spans would be with the row: by column, then place
  std::vector<float> total_;       // the sum over columns
  std::vector<float> label_cost_;  // what its label would add to the mixture of a group of the smallest size, per row
  uint32_t capacity_ = 0, free_ = 0;
  // The group that is growing.
  std::vector<uint32_t> members_;
  std::vector<float> low_, high_;
  MixtureSums labels_;
  std::vector<uint64_t> held_;
  std::vector<uint32_t> count_;
  std::vector<std::vector<Code>> large_;  // values of a column with more than 64
  std::vector<float> seed_numbers_;
  std::vector<Code> seed_names_;
  Tally tally_;
  std::vector<std::vector<Checker::Wanted>> wanted_;  // by sensitive column; empty: values are only to be different
  uint32_t short_column_ = 0;                         // the sensitive column that lacks most values
  std::vector<std::vector<uint32_t>> groups_;
  std::vector<uint32_t> leftovers_;
};

}  // namespace tada
