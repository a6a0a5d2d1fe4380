#pragma once

// What is left of classes of several releases if one person is in all of them. A person has one value of each sensitive
// column, so only values that all the classes hold are possible, and only rows with possible values can be the person's.
//   combination   the sensitive values of a row, one per column; a class holds each with a count.
// Values of different releases are the same if the audit would count them as one (audit/checks/folding.h).

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "audit/classes/classes.h"
#include "privacy/requirement.h"
#include "table/table.h"

namespace tada {

/// A class of one of the releases.
struct ClassId {
  uint32_t release = 0, index = 0;
  auto operator<=>(const ClassId&) const = default;
};

class Candidates {
 public:
  struct Left {
    std::vector<uint64_t> rows;                 ///< of each class, that remain possible
    std::vector<std::vector<uint32_t>> values;  ///< of each sensitive column, that remain possible; ascending
    bool missing_counts = false;                ///< towards l
    std::vector<std::vector<char>> possible;    ///< of each class, which of its combinations
    uint64_t k() const;                         ///< the smallest of `rows`
    uint64_t l() const;                         ///< the fewest values of a column that a class has; 0 without any
  };

  /// `columns[r][s]` is where release r has sensitive column s, if it does.
  Candidates(std::span<const Table* const> releases, std::span<const std::vector<std::optional<ColumnId>>> columns,
             std::span<const Classes> classes, const Requirement& requirement);

  size_t num_columns() const { return texts_.size(); }
  /// What is left if one person is in all of these classes. A column that only one of them has limits nothing but is limited.
  Left Intersect(std::span<const ClassId> classes) const;
  /// The k and l of Intersect() for two classes; both 0 if nobody can be in both. Cheap: it is asked for millions of pairs.
  std::pair<uint64_t, uint64_t> IntersectPair(const ClassId& a, const ClassId& b) const;
  /// The value of a row, shared by all releases; nothing if its release does not have the column.
  std::optional<uint32_t> value(uint32_t release, RowId row, size_t column) const;
  const std::string& text(size_t column, uint32_t value) const { return texts_[column][value]; }
  /// Calls f(value, rows) for the combinations of a class that remain possible.
  template <class F>
  void ForEachLeft(const ClassId& id, std::span<const char> possible, size_t column, const F& f) const {
    const Release& release = releases_[id.release];
    for (uint32_t c = release.begin[id.index]; c < release.begin[id.index + 1]; ++c) {
      if (possible[c - release.begin[id.index]]) f(release.combinations[c * num_columns() + column], release.counts[c]);
    }
  }
  /// What a release's own numbers of codes are for values that are shared: number_of_code by value.
  std::vector<uint32_t> ToCodes(uint32_t release, size_t column, std::span<const uint32_t> number_of_code) const {
    std::vector<uint32_t> numbers(texts_[column].size());
    const std::vector<uint32_t>& values = releases_[release].value_of_code[column];
    for (size_t code = 0; code < values.size(); ++code) numbers[values[code]] = number_of_code[code];
    return numbers;
  }

 private:
  struct Release {
    std::vector<std::vector<uint32_t>> value_of_code;  // by column, then by code; empty: it does not have the column
    std::vector<const Codes*> codes;
    std::vector<uint32_t> begin;         // by class, in combinations; and the end
    std::vector<uint32_t> combinations;  // num_columns() values each
    std::vector<uint32_t> counts;
  };
  void NumberValues(size_t column, std::span<const Table* const> releases,
                    std::span<const std::vector<std::optional<ColumnId>>> columns);
  void CountCombinations(const Classes& classes, Release& release) const;
  /// The values of a column among the combinations of a class that are still possible; ascending.
  std::vector<uint32_t> Values(const ClassId& id, size_t column, std::span<const char> possible) const;

  bool exact_values_, missing_counts_;
  std::vector<Release> releases_;
  std::vector<std::vector<std::string>> texts_;  // by column, then by value
};

}  // namespace tada
