#pragma once

// The rows of groups, laid out for splitting: every column's codes stand in group order, so that a group is a contiguous
// piece of every column. Looking at a group is then a scan that vectorizes, and splitting one is a stable reordering in
// place. Pieces of different groups can be worked on by different threads.
//   position  where a row stands now; positions of a group are [begin, end).
//   weight    how many rows of the table a position stands for (equal rows may have been collapsed into one).

#include <span>
#include <vector>

#include "base/workers.h"
#include "groups/groups.h"
#include "table/table.h"

namespace tada {

class WorkingRows {
 public:
  /// Lays out rows, in the order of groups.
  explicit WorkingRows(std::vector<RowId> order) : rows_(std::move(order)) {}
  explicit WorkingRows(const Groups& groups) : WorkingRows(groups.order()) {}

  /// A column to add. `renumber`, if given, maps the column's codes to new ones below `num_codes`.
  struct Added {
    const Column* column;
    std::span<const Code> renumber;
    Code num_codes;
  };
  /// Adds columns, each by one thread.
  void AddColumns(std::span<const Added> added, const Workers& workers);
  /// Adds a column; returns its index here.
  uint32_t AddColumn(const Column& column, std::span<const Code> renumber = {}, Code num_codes = 0);

  /// Adds a column that the table does not have; `code_of_row` has one for every row of the table.
  uint32_t AddCodes(std::span<const Code> code_of_row, Code num_codes);
  /// A copy of positions [begin, end), on its own.
  WorkingRows Slice(uint32_t begin, uint32_t end) const;

  /// Lets position i stand for weights[i] rows; without it every position stands for one.
  void SetWeights(std::vector<uint32_t> weights) { weights_ = std::move(weights); }
  /// The weights of positions [begin, end); empty if every position stands for one row.
  std::span<const uint32_t> Weights(uint32_t begin, uint32_t end) const {
    return weights_.empty() ? std::span<const uint32_t>() : std::span(weights_).subspan(begin, end - begin);
  }
  /// The number of rows that positions [begin, end) stand for.
  uint64_t NumRows(uint32_t begin, uint32_t end) const;

  uint32_t num_positions() const { return static_cast<uint32_t>(rows_.size()); }
  uint32_t num_columns() const { return static_cast<uint32_t>(columns_.size()); }
  const std::vector<RowId>& rows() const { return rows_; }
  std::vector<RowId> TakeRows() && { return std::move(rows_); }
  /// Memory that a position takes, over all columns.
  uint64_t BytesPerPosition() const;

  /// Calls f with the codes of positions [begin, end) as a span of u8, u16 or u32.
  template <class F>
  decltype(auto) Visit(uint32_t column, uint32_t begin, uint32_t end, F&& f) const {
    return columns_[column].Visit([&](auto codes) -> decltype(auto) { return f(codes.subspan(begin, end - begin)); });
  }

  struct Extent {
    Code low, high;
  };
  /// Smallest and largest code among positions [begin, end), which are not empty.
  Extent FindExtent(uint32_t column, uint32_t begin, uint32_t end) const;

  /// Reorders positions [begin, end) so that those with child[i] == 0 come first, then 1, ...; stable.
  /// `child` has end - begin entries below `num_children`. Returns where each child begins, and the end.
  std::vector<uint32_t> Partition(uint32_t begin, uint32_t end, std::span<const uint16_t> child, uint32_t num_children);

 private:
  WorkingRows() = default;
  Codes LayOut(const Added& added) const;

  std::vector<RowId> rows_;
  std::vector<uint32_t> weights_;
  std::vector<Codes> columns_;
};

}  // namespace tada
