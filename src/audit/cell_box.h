#pragma once

// The cells of one quasi-identifier in several releases, laid on one line so that they can be compared.
//   place   where a value stands: a number or a date stands at itself, a name at its rank among all names of all releases.
//   hull    the places from the first to the last that a cell covers. A mask covers everything.
//   list    the places inside the hull that a cell covers, if it does not cover all of them: a set.
// A cell that cannot be read is taken to cover everything, which can only make a comparison more careful.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "audit/cell.h"
#include "table/column.h"

namespace tada {

class CellBoxes {
 public:
  struct Box {
    double low = 0, high = 0;               ///< the hull, both ends included
    uint32_t list_begin = 0, list_end = 0;  ///< in the lists; none: the whole hull
  };

  /// Reads the cells of a column of each release; null where a release does not have it.
  CellBoxes(std::span<const Column* const> columns, std::span<const std::string> missing);

  const Box& box(size_t release, Code cell) const { return boxes_[release][cell]; }
  /// Whether a value can lie in both. Pre: the hulls overlap.
  bool ShareAPlace(const Box& a, const Box& b) const;
  /// How many different cells could not be read.
  uint64_t num_unread() const { return num_unread_; }

 private:
  bool IsMissing(std::string_view text) const;
  void CollectNames(std::span<const Column* const> columns);
  double Number(std::string_view text) const;
  Box Read(std::string_view text);
  Box ReadInterval(const ParsedCell& cell);
  Box FromPlaces(std::vector<double> places);
  void AddPlaces(std::string_view element, std::vector<double>& places) const;

  Reading reading_ = Reading::kNames;
  std::vector<std::string> missing_;
  std::vector<std::string> names_;  // sorted
  std::vector<std::vector<Box>> boxes_;
  std::vector<double> lists_;
  uint64_t num_unread_ = 0;
};

}  // namespace tada
