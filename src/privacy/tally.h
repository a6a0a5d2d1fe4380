#pragma once

// What a checker needs to know of a set of rows: how many, and how often each sensitive value occurs. Adding a row and
// clearing cost what was touched, not the size of the domain, so one tally serves millions of small groups.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"

namespace tada {

/// How often each value of one sensitive column occurs among some rows.
class ValueCounts {
 public:
  /// `uncounted`: a value ("missing") that occurs like others, but is none of the different values that l asks for.
  explicit ValueCounts(Code num_values, std::optional<Code> uncounted = std::nullopt)
      : counts_(num_values, 0), place_(num_values, 0), uncounted_(uncounted.value_or(kNone)) {}

  void Add(Code value, uint32_t rows = 1) {
    if (counts_[value] == 0) {
      place_[value] = static_cast<uint32_t>(present_.size());
      present_.push_back(value);
    }
    counts_[value] += rows;
  }
  /// Pre: the value occurs at least `rows` times.
  void Remove(Code value, uint32_t rows = 1) {
    counts_[value] -= rows;
    if (counts_[value] > 0) return;
    place_[present_.back()] = place_[value];
    present_[place_[value]] = present_.back();
    present_.pop_back();
  }
  uint32_t count(Code value) const { return counts_[value]; }
  void Clear() {
    for (const Code value : present_) counts_[value] = 0;
    present_.clear();
  }
  /// The values that occur, "missing" among them, in no particular order.
  std::span<const Code> present() const { return present_; }
  /// Whether a value counts towards l.
  bool counts(Code value) const { return value != uncounted_; }
  /// The value that does not; one beyond all if every one does.
  Code uncounted() const { return uncounted_; }
  /// Number of values that occur and count towards l.
  uint32_t Distinct() const {
    const bool less = uncounted_ != kNone && counts_[uncounted_] > 0;
    return static_cast<uint32_t>(present_.size()) - (less ? 1 : 0);
  }
  /// The counts above zero of values that count towards l, largest first: the order makes sums over them the same for every order of
  /// rows.
  std::vector<uint32_t> Descending() const;

 private:
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> place_;  // of a value in present_
  std::vector<Code> present_;
  static constexpr Code kNone = UINT32_MAX;
  Code uncounted_;
};

/// Rows and, for each sensitive column, its value counts.
struct Tally {
  uint64_t rows = 0;
  std::vector<ValueCounts> columns;

  void Clear() {
    rows = 0;
    for (ValueCounts& counts : columns) counts.Clear();
  }
  /// Adds the rows of another tally over the same columns.
  void Merge(const Tally& other);
};

}  // namespace tada
