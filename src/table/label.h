#pragma once

// What a label of a hierarchy says to those who see it in a release. It is read as the audit will read the finished file
// (table/parsed_cell.h), so that a label which is accepted here passes there, and an interval costs the same wherever it
// comes from: a file, `width:5`, `count:5`.
//   interval  `[20,30)` `20-39` `>=50`, in a column of numbers or dates; numbers may have decimal commas: `0,5-1,5`.
//   covers    what is below a label is inside what the label says. A name says nothing that could be false.
//   loss      the part of its column's span that a label leaves open, in [0, 1]: of an interval (high - low) / (max - min) by
//             the bounds it shows, whatever values are below it, and by the column's own where it shows none; of any other
//             label (values - 1) / (domain - 1).

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "table/column.h"
#include "table/parsed_cell.h"

namespace tada {

struct LabelInterval {
  std::string low, high;  ///< as numbers or dates are written; empty: no bound on this side
  bool low_open = false, high_open = false;
};

/// What a label says if it reads as an interval; nothing for any other.
std::optional<LabelInterval> ReadInterval(std::string_view label, Reading reading);

/// How the labels of one level of a column are read: as its numbers or dates. Names are numbers (or dates) too if most
/// labels look like it and some of the names are: a zip code kept as a name below `47600-47699`.
Reading ReadingOf(const Column& column, const std::vector<std::string>& labels);

/// A label, asked value by value whether it covers them. The column must outlive it.
class LabelCover {
 public:
  LabelCover(const std::string& label, const Column& column, Reading reading);
  LabelCover(const LabelCover&) = delete;
  LabelCover& operator=(const LabelCover&) = delete;
  bool Covers(Code code) const;
  bool is_interval() const { return interval_.has_value(); }
  /// What the label reads as, in words: "a set".
  std::string_view form() const;

 private:
  void AddElements(std::vector<std::string> elements);
  bool InInterval(std::string_view value) const;
  bool IsElement(std::string_view value) const;
  int Compare(std::string_view a, std::string_view b) const;

  std::string label_;
  const Column& column_;
  Reading reading_;
  ParsedCell::Form form_;
  bool name_ = false;  // no value, no set, no pattern: covers anything
  std::optional<LabelInterval> interval_;
  std::unordered_set<std::string_view> texts_;                 // of a set, in elements_
  std::unordered_multimap<double, std::string_view> numbers_;  // those that are numbers or dates
  std::vector<std::string> elements_;
};

/// (high - low) / (top - bottom), also where a difference is beyond the largest double; 0 if top is bottom.
double SpanShare(double low, double high, double bottom, double top);
/// (values - 1) / (domain - 1), at most 1.
double CountShare(uint64_t values, uint64_t domain);
/// The bounds that a label of a column of numbers or dates shows, as numbers; nothing where it shows none.
std::array<std::optional<double>, 2> LabelBounds(const Column& column, std::string_view label);
/// The loss of a label that stands for `values` of the column's values, which lie between `bottom` and `top`.
double LabelLoss(const Column& column, std::string_view label, uint64_t values, double bottom, double top);
/// The same over the column's own smallest and largest number.
double LabelLoss(const Column& column, std::string_view label, uint64_t values);

}  // namespace tada
