#pragma once

// The cells of one quasi-identifier in several releases, laid on one line (compose/value_line.h) so that they can be compared.
//   hull    the places from the first to the last that a cell covers. A mask covers everything.
//   list    the places inside the hull that a cell covers, if it does not cover all of them: a set, a pattern.
// One column may be written as values here, as intervals there, and as sets or patterns in a third release: each cell is read
// by itself, and a set of numbers meets an interval. Where nobody can tell, a cell is taken to cover everything, which can only
// make a comparison more careful, and counted:
//   a name, where some release has numbers or dates: it may be a label above them;
//   the rarer of numbers and dates in one column, such as years among days;
//   a label of our own hierarchies that does not say what is below it (compose/made_labels.h);
//   a pattern, where there are intervals (which numbers does `2**` stand for?) or a release has no text as long as it is.

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compose/made_labels.h"
#include "compose/value_line.h"
#include "table/column.h"
#include "table/parsed_cell.h"

namespace tada {

class CellBoxes {
 public:
  struct Box {
    double low = 0, high = 0;               ///< the hull, both ends included
    uint32_t list_begin = 0, list_end = 0;  ///< in the lists; none: the whole hull
  };

  /// Reads the cells of a column of each release; null where a release does not have it.
  /// `writing`: how values are written, if somebody said so; else it is found.
  CellBoxes(std::span<const Column* const> columns, std::span<const std::string> missing, const Writing& writing = {});

  const Box& box(size_t release, Code cell) const { return boxes_[release][cell]; }
  /// Whether a value can lie in both. Pre: the hulls overlap.
  bool ShareAPlace(const Box& a, const Box& b) const;
  /// How many different cells are taken to cover everything because nobody can tell what they cover, and one of them.
  uint64_t num_undecided() const { return num_undecided_; }
  const std::string& undecided() const { return undecided_; }
  /// How many names stand in a release by themselves that another release does not have: they may be labels of a hierarchy.
  uint64_t num_lone_names() const { return num_lone_names_; }
  const std::string& lone_name() const { return lone_name_; }

 private:
  struct Interval {
    Reading reading;
    ParsedCell bounds;
  };

  bool IsMissing(std::string_view text) const;
  /// The values that a cell lists: those of a set, or itself. Nothing for a mask or an interval.
  std::vector<std::string> Elements(std::string_view text) const;
  static std::optional<Interval> ReadInterval(std::string_view text);
  /// The cells of a release's column, with values plain (writing/writing.h).
  struct Cells {
    const Column* column = nullptr;
    std::vector<std::string> plain;  ///< empty: as they are
    Code num_codes() const { return column->num_codes(); }
    std::string_view text(Code cell) const { return plain.empty() ? column->text(cell) : plain[cell]; }
  };
  std::vector<Cells> PlainCells(std::span<const Column* const> columns, const Writing& writing) const;
  void AddValues(const Cells& column);
  void DecideKind(const Cells& column);
  bool IsRarer(Reading reading) const;
  bool IsLabel(std::string_view name) const;
  bool IsDecidedPattern(std::string_view pattern) const;
  void FindLoneNames(std::span<const Cells> columns);
  std::optional<Box> Read(std::string_view text);
  std::optional<Box> BoxOfInterval(const Interval& interval) const;
  /// Adds the places of a value; false if nobody can tell.
  bool AddPlaces(std::string_view value, std::vector<double>& places) const;
  Box FromPlaces(std::vector<double> places);

  std::vector<std::string> missing_;
  ValueLine line_;
  bool counts_ = false;  // some release has numbers or dates, so that a name is no value of the column
  bool has_intervals_ = false;
  std::array<uint64_t, 3> cells_of_{};     // how many different cells have a value of each reading
  std::set<DateLevel> date_levels_;        // that names seem to be at
  std::vector<std::set<size_t>> lengths_;  // of values, patterns and labels, by release
  std::vector<std::vector<Box>> boxes_;
  std::vector<double> lists_;
  uint64_t num_undecided_ = 0, num_lone_names_ = 0;
  std::string undecided_, lone_name_;
};

}  // namespace tada
