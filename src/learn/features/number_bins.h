#pragma once

// Bins on a numeric axis, and how much of a cell lies in them.
//   cut    an upper end: bin i holds the numbers above cut i-1 and up to cut i; the last bin has no upper end.
//   mass   the share of a cell's interval that lies in some bins, its numbers being equally likely.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/features/cell_table.h"

namespace tada {

class NumberBins {
 public:
  /// Cuts at the ends of the rows' cells, at most `most` bins; where there are more, at quantiles of the ends.
  NumberBins(const CellColumn& column, size_t most) {
    std::vector<double> ends;
    std::vector<uint8_t> used(column.cells.size(), 0);
    for (const uint32_t cell : column.of_row) {
      if (column.cells[cell].low != column.cells[cell].high || used[cell] == 0) {
        ends.push_back(column.cells[cell].low);
        ends.push_back(column.cells[cell].high);
      } else {
        ends.push_back(column.cells[cell].low);
      }
      used[cell] = 1;
    }
    std::sort(ends.begin(), ends.end());
    std::vector<double> distinct = ends;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (distinct.size() > most) {
      cuts_.clear();
      for (size_t i = 1; i < most; ++i) cuts_.push_back(ends[i * ends.size() / most]);
      cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
      if (!cuts_.empty() && cuts_.back() == distinct.back()) cuts_.pop_back();
    } else {
      cuts_ = std::move(distinct);
      if (!cuts_.empty()) cuts_.pop_back();
    }
  }

  uint32_t size() const { return static_cast<uint32_t>(cuts_.size()) + 1; }
  double cut(uint32_t bin) const { return cuts_[bin]; }
  uint32_t bin(double number) const {
    return static_cast<uint32_t>(std::lower_bound(cuts_.begin(), cuts_.end(), number) - cuts_.begin());
  }
  /// The mass of a cell in the bins up to and with `bin`.
  double MassUpTo(const CellColumn::Cell& cell, uint32_t up_to) const {
    if (up_to + 1 >= size()) return 1;
    if (cell.is_point()) return cell.low <= cuts_[up_to] ? 1 : 0;
    // Halves, since the width of a cell may be more than a number holds.
    return std::clamp((cuts_[up_to] / 2 - cell.low / 2) / (cell.high / 2 - cell.low / 2), 0.0, 1.0);
  }

 private:
  std::vector<double> cuts_;
};

}  // namespace tada
