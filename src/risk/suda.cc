#include "risk/suda.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tada {
namespace {

struct Found {
  RowId row;
  uint64_t columns;  // as bits
};

// Sets of columns, from those that begin with one column on: rows are parted by one column after the other, and those that stand alone
// are noted and left out, since they stand alone in every larger set.
class Search {
 public:
  Search(std::span<const std::vector<Code>> columns, size_t largest_set, const Workers& workers)
      : columns_(columns), largest_set_(largest_set), workers_(workers) {}

  std::vector<Found> From(size_t first) {
    std::vector<RowId> rows(columns_[0].size());
    std::iota(rows.begin(), rows.end(), RowId{0});
    const std::vector<size_t> ends{rows.size()};
    Part(first, 0, rows, ends);
    return std::move(found_);
  }

 private:
  // Parts each class of `rows` (which ends at `ends`) by a column and goes on with the columns behind it.
  void Part(size_t column, uint64_t set, const std::vector<RowId>& rows, const std::vector<size_t>& ends) {
    workers_.Poll();
    const std::vector<Code>& codes = columns_[column];
    const uint64_t with = set | uint64_t{1} << column;
    std::vector<RowId> kept;
    std::vector<size_t> kept_ends;
    std::vector<RowId> sorted;
    size_t begin = 0;
    for (const size_t end : ends) {
      sorted.assign(rows.begin() + static_cast<ptrdiff_t>(begin), rows.begin() + static_cast<ptrdiff_t>(end));
      std::ranges::sort(sorted, [&](RowId a, RowId b) { return codes[a] < codes[b]; });
      for (size_t from = 0, to = 0; from < sorted.size(); from = to) {
        while (to < sorted.size() && codes[sorted[to]] == codes[sorted[from]]) ++to;
        if (to - from == 1) {
          found_.push_back({sorted[from], with});
          continue;
        }
        kept.insert(kept.end(), sorted.begin() + static_cast<ptrdiff_t>(from),
                    sorted.begin() + static_cast<ptrdiff_t>(to));
        kept_ends.push_back(kept.size());
      }
      begin = end;
    }
    if (static_cast<size_t>(std::popcount(with)) == largest_set_) return;
    for (size_t next = column + 1; next < columns_.size(); ++next) Part(next, with, kept, kept_ends);
  }

  std::span<const std::vector<Code>> columns_;
  size_t largest_set_;
  const Workers& workers_;
  std::vector<Found> found_;
};

// The sets of one row that no other one of them is a part of.
std::vector<uint64_t> Minimal(std::span<const Found> found) {
  std::vector<uint64_t> minimal;
  for (const Found& one : found) {
    const bool larger = std::ranges::any_of(found, [&](const Found& other) {
      return other.columns != one.columns && (other.columns & one.columns) == other.columns;
    });
    if (!larger) minimal.push_back(one.columns);
  }
  return minimal;
}

double ScoreOf(size_t size, size_t columns, size_t largest_set) {
  double score = 1;
  for (size_t i = size; i <= largest_set; ++i) score *= static_cast<double>(columns - i);
  return score;
}

}  // namespace

SudaScores Suda(std::span<const std::vector<Code>> columns, size_t largest_set, const Workers& workers) {
  const size_t num_columns = columns.size(), rows = columns[0].size();
  // In all columns together no set is told from a larger one: its score would be 0. A single column is a set all the same.
  const size_t largest = std::max<size_t>(1, std::min(largest_set, num_columns - 1));
  SudaScores scores{
      .largest_set = largest, .of_row = std::vector<double>(rows), .smallest = std::vector<uint8_t>(rows)};
  scores.of_column.resize(num_columns);
  scores.rows_by_size.resize(largest + 1);
  std::vector<std::vector<Found>> parts(num_columns);
  workers.For(num_columns, [&](size_t first) { parts[first] = Search(columns, largest, workers).From(first); });
  std::vector<Found> found;
  for (const auto& part : parts) found.insert(found.end(), part.begin(), part.end());
  std::ranges::stable_sort(found, {}, &Found::row);
  for (size_t from = 0, to = 0; from < found.size(); from = to) {
    while (to < found.size() && found[to].row == found[from].row) ++to;
    const RowId row = found[from].row;
    size_t smallest = num_columns;
    for (const uint64_t set : Minimal(std::span(found).subspan(from, to - from))) {
      const auto size = static_cast<size_t>(std::popcount(set));
      const double score = num_columns == 1 ? 1 : ScoreOf(size, num_columns, largest);
      smallest = std::min(smallest, size);
      scores.of_row[row] += score;
      scores.total += score;
      for (size_t column = 0; column < num_columns; ++column) {
        if (set >> column & 1) scores.of_column[column] += score;
      }
    }
    scores.smallest[row] = static_cast<uint8_t>(smallest);
  }
  for (const uint8_t size : scores.smallest) ++scores.rows_by_size[size];
  for (double& share : scores.of_column) share = scores.total > 0 ? share / scores.total : 0;
  return scores;
}

}  // namespace tada
