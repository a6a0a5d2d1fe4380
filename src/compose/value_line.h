#pragma once

// The line that the values of one quasi-identifier stand on, of all releases together, so that their cells can be compared.
//   place   where a value stands, a whole number: missing first, then numbers in order, dates in order, names by their bytes.
//           Equal numbers share a place, however they are spelled. Numbers and dates leave a place free between neighbours:
//           there an interval ends that leaves out its bound.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "table/parsed_cell.h"

namespace tada {

class ValueLine {
 public:
  static constexpr double kMissing = 0;

  /// What a text is by itself: a number, a date or a name.
  static Reading ReadingOf(std::string_view text);

  /// Whether a number is smaller than a number, or a date earlier than a date. Pre: both are of one reading.
  static bool IsBefore(std::string_view a, std::string_view b);

  void Add(std::string_view text);
  /// Gives everything added its place; called once, before any of these.
  void Lay();
  /// Pre: the text was added.
  double PlaceOf(std::string_view text) const { return Find(text, ReadingOf(text))->place; }
  /// The place of a name, if it was added.
  std::optional<double> FindName(std::string_view text) const;
  /// The places of values, and of other patterns, that share a text with a pattern. Values are compared as they are spelled.
  std::vector<double> PlacesOfPattern(std::string_view pattern) const;

 private:
  struct Value {
    double number = 0;  // names: 0
    std::string text;
    double place = 0;
  };
  using Values = std::vector<Value>;

  // The first value that is not below `text`.
  Values::const_iterator Find(std::string_view text, Reading reading) const;
  static double NumberOf(std::string_view text, Reading reading);
  // Exact order of two values of one reading, equal if they are the same number however spelled.
  static int Compare(double a_number, std::string_view a, double b_number, std::string_view b, Reading reading);
  Values& values(Reading reading) { return values_[static_cast<size_t>(reading)]; }
  const Values& values(Reading reading) const { return values_[static_cast<size_t>(reading)]; }

  std::array<Values, 3> values_;           // by reading
  std::unordered_set<std::string> added_;  // until they are laid
};

}  // namespace tada
