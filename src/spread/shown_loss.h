#pragma once

// What the released cells of some rows show of each quasi-identifier, and what they lose of it, so that parts can be added up: the loss that a
// scorecard over all rows at once gives with the spans of what is released (score/scorecard.h), but for the order in which numbers are added.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "recode/release.h"

namespace tada {

class ShownLoss {
 public:
  /// Of these columns of a table; their dictionaries are those of all parts. The table outlives this.
  ShownLoss(const Table& table, const std::vector<ColumnId>& quasi);

  /// Adds the released rows of a part. Pre: its table has the same columns and dictionaries.
  void Add(const Release& release);
  void AddPacked(std::string_view packed);
  std::string Pack() const;

  /// The sum of the losses of all cells, by quasi-identifier.
  std::vector<double> Sums() const;

 private:
  struct Label {
    uint64_t leaves = 0, rows = 0;
  };
  struct Shown {
    double half_widths = 0;       // of intervals, times their rows
    uint64_t further_values = 0;  // of sets: values but one, times their rows
    uint64_t masks = 0;
    std::map<std::string, Label> labels;
    double bottom, top;
    std::vector<uint64_t> values;  // a bit per value that is named
  };
  void AddColumn(const Column& column, const ReleasedColumn& released, const std::vector<uint64_t>& rows_of_cell,
                 Shown& shown) const;
  double SumOf(const Column& column, const Shown& shown) const;

  const Table& table_;
  std::vector<ColumnId> quasi_;
  std::vector<Shown> columns_;
};

}  // namespace tada
