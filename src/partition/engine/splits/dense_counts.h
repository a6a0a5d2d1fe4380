#pragma once

// The counts of all columns of a node at once, as plain arrays over the whole domains. They add and subtract, so that of the
// children of a split all but the largest are counted and the largest is what is left of the parent.

#include <span>
#include <vector>

#include "partition/engine/splits/value_table.h"

namespace tada {

class DenseCounts {
 public:
  /// Number of counters a node takes; compare with its size to see whether they pay.
  static size_t Cells(const Problem& problem, std::span<const LabelView> labels);

  /// Looks at `problem` and `labels` as long as it lives.
  DenseCounts(const Problem& problem, std::span<const LabelView> labels);
  void Add(const NodeRows& rows, uint32_t begin, uint32_t end);
  void Subtract(const DenseCounts& part);
  /// The same as ValueTable::Count over the rows that were added.
  void Fill(uint32_t column, ValueTable& table) const;

 private:
  struct Spread {
    uint32_t other = 0;  // column among the node rows
    Code num_values = 0;
    size_t first = 0;  // where its counters begin, in cells_
  };
  struct PerColumn {
    Code num_codes = 0;
    size_t first_rows = 0;
    std::vector<Spread> labels, sensitive;
  };
  void AddColumn(const NodeRows& rows, uint32_t begin, uint32_t end, uint32_t c);
  std::span<const uint32_t> Counts(const Spread& spread, Code code) const {
    return std::span(cells_).subspan(spread.first + size_t{code} * spread.num_values, spread.num_values);
  }

  const Problem* problem_;
  std::span<const LabelView> labels_;
  std::vector<PerColumn> columns_;
  std::vector<uint32_t> cells_;
};

}  // namespace tada
