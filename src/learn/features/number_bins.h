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
    const std::vector<End> ends = EndsOf(column);
    size_t all = 0;
    for (const End& end : ends) all += end.rows;
    if (ends.size() <= most) {
      for (size_t i = 0; i + 1 < ends.size(); ++i) cuts_.push_back(ends[i].at);
      return;
    }
    size_t up_to = ends[0].rows, at = 0;
    for (size_t i = 1; i < most; ++i) {
      while (up_to <= i * all / most) up_to += ends[++at].rows;
      if (at + 1 < ends.size() && (cuts_.empty() || cuts_.back() != ends[at].at)) cuts_.push_back(ends[at].at);
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
  struct End {
    double at;
    size_t rows;
  };
  // The different ends of cells in order, and how many rows have each: of an interval both count, of a number the one, and once more for all of its rows.
  static std::vector<End> EndsOf(const CellColumn& column) {
    std::vector<size_t> rows(column.cells.size(), 0);
    for (const uint32_t cell : column.of_row) ++rows[cell];
    std::vector<End> ends;
    for (size_t cell = 0; cell < rows.size(); ++cell) {
      if (rows[cell] == 0) continue;
      const bool is_point = column.cells[cell].is_point();
      ends.push_back({column.cells[cell].low, rows[cell] + (is_point ? 1 : 0)});
      if (!is_point) ends.push_back({column.cells[cell].high, rows[cell]});
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.at < b.at; });
    size_t last = 0;
    for (size_t i = 1; i < ends.size(); ++i) {
      if (ends[i].at == ends[last].at) {
        ends[last].rows += ends[i].rows;
      } else {
        ends[++last] = ends[i];
      }
    }
    if (!ends.empty()) ends.resize(last + 1);
    return ends;
  }

  std::vector<double> cuts_;
};

}  // namespace tada
