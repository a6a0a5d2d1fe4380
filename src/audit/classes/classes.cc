#include "audit/classes/classes.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "audit/classes/tuple_numbers.h"

namespace tada {
namespace {

constexpr size_t kRowsAtOnce = 1 << 20;  // compared by all threads before one looks where they differ
constexpr size_t kRowsPerBlock = 1 << 15;
constexpr size_t kMostColumns = UINT8_MAX;

// Classes of rows that stand in the order of their cells, as those of a sorted release do: a class is a run of equal rows, and nothing is
// looked up. Which order of cells it is doesn't matter. What is checked is that among rows that are alike up to a column those with the
// same cell in it follow one another; then no two runs are equal.
class Runs {
 public:
  /// Pre: there are rows, and 1 to kMostColumns columns.
  Runs(const Table& release, std::vector<ColumnId> quasi, const Workers& workers)
      : rows_(release.num_rows()), workers_(workers) {
    std::sort(quasi.begin(), quasi.end());  // rows are sorted by the first column of the file, then the second
    for (const ColumnId id : quasi) {
      columns_.push_back(&release.column(id).codes());
      seen_in_.emplace_back(release.column(id).num_codes(), kNever);
    }
    prefix_.assign(columns_.size(), 0);
  }

  /// Where each class begins, and the number of rows last; nothing if rows that are alike do not all follow one another.
  std::optional<std::vector<uint32_t>> Find() {
    std::vector<uint32_t> begins;
    std::vector<uint8_t> first_other(std::min(rows_, kRowsAtOnce));
    for (size_t from = 0; from < rows_; from += kRowsAtOnce) {
      const auto others = std::span(first_other).first(std::min(kRowsAtOnce, rows_ - from));
      FindFirstOther(from, others);
      for (size_t i = 0; i < others.size(); ++i) {
        if (others[i] == columns_.size()) continue;
        if (!Begin(static_cast<uint32_t>(from + i), others[i])) return std::nullopt;
        begins.push_back(static_cast<uint32_t>(from + i));
      }
      workers_.Poll();
    }
    begins.push_back(static_cast<uint32_t>(rows_));
    return begins;
  }

 private:
  static constexpr uint32_t kNever = UINT32_MAX;

  // The first column in which a row differs from the one before it; the number of columns if there is none.
  void FindFirstOther(size_t from, std::span<uint8_t> others) const {
    workers_.ForBlocks(others.size(), kRowsPerBlock, [&](size_t begin, size_t end) {
      std::fill(others.begin() + begin, others.begin() + end, static_cast<uint8_t>(columns_.size()));
      const size_t compared = from + begin == 0 ? 1 : begin;  // before the first row there is none
      for (size_t column = columns_.size(); column-- > 0;) {
        columns_[column]->Visit([&](auto all) {
          for (size_t i = compared; i < end; ++i) {  // without a branch: many rows at once
            others[i] = all[from + i] != all[from + i - 1] ? static_cast<uint8_t>(column) : others[i];
          }
        });
      }
      if (from + begin == 0) others[0] = 0;
    });
  }

  // A run begins at a row that is another from a column on. False if its cell there was seen among the rows that are alike before it.
  bool Begin(uint32_t row, size_t other) {
    const Code code = (*columns_[other])[row];
    if (row > 0 && seen_in_[other][code] == prefix_[other]) return false;
    seen_in_[other][code] = prefix_[other];
    for (size_t column = other + 1; column < columns_.size(); ++column) {
      prefix_[column] = row;
      seen_in_[column][(*columns_[column])[row]] = row;
    }
    return true;
  }

  size_t rows_;
  const Workers& workers_;
  std::vector<const Codes*> columns_;
  std::vector<uint32_t> prefix_;  // by column: the row at which rows began that are alike in all columns before it
  std::vector<std::vector<uint32_t>> seen_in_;  // by column and code: the prefix that it was last seen in
};

}  // namespace

std::vector<uint32_t> Classes::OfRows() const {
  std::vector<uint32_t> of_row(num_rows());
  for (uint32_t index = 0; index < count(); ++index) {
    for (const RowId row : members(index)) of_row[row] = index;
  }
  return of_row;
}

std::pair<std::vector<uint32_t>, std::vector<uint32_t>> SortByNumber(std::span<const uint32_t> numbers, size_t count) {
  std::vector<uint32_t> offsets(count + 1, 0);
  for (const uint32_t number : numbers) ++offsets[number + 1];
  for (size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
  std::vector<uint32_t> items(numbers.size());
  if (std::is_sorted(numbers.begin(), numbers.end())) {  // as the classes of a sorted release are
    std::iota(items.begin(), items.end(), 0u);
    return {std::move(items), std::move(offsets)};
  }
  std::vector<uint32_t> next(offsets.begin(), offsets.end() - 1);
  for (uint32_t i = 0; i < numbers.size(); ++i) items[next[numbers[i]]++] = i;
  return {std::move(items), std::move(offsets)};
}

Classes FindClasses(const Table& release, std::span<const ColumnId> quasi, const Workers& workers) {
  if (release.num_rows() > 0 && !quasi.empty() && quasi.size() <= kMostColumns) {
    if (auto begins = Runs(release, {quasi.begin(), quasi.end()}, workers).Find()) return {{}, *std::move(begins)};
  }
  std::vector<uint32_t> sizes;
  std::vector<KeyColumn> keys;
  for (const ColumnId id : quasi) {
    sizes.push_back(release.column(id).num_codes());  // one code a text
    keys.push_back({&release.column(id).codes(), {}});
  }
  TupleNumbers numbers(sizes);
  const std::vector<uint32_t> class_of_row = numbers.Number(keys, release.num_rows(), workers);
  auto [rows, offsets] = SortByNumber(class_of_row, numbers.count());
  return {std::move(rows), std::move(offsets)};
}

}  // namespace tada
