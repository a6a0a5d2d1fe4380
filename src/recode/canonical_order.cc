#include "recode/canonical_order.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "groups/raw_vector.h"
#include "table/radix_sort.h"

namespace tada {
namespace {

constexpr size_t kLeastPiece = 1 << 16;  // rows that a thread takes at once

std::vector<uint32_t> UpTo(size_t size) {
  std::vector<uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

// Where each code stands among the values: missing first, then numbers by value, names by text. Empty if that is the code
// itself; it is not where the order of names is the user's, or that of their first appearance.
std::vector<Code> RanksOfCodes(const Column& column) {
  std::vector<Code> ranks = UpTo(column.num_codes());
  const auto precedes = [&](Code a, Code b) {
    if (column.is_missing(a) != column.is_missing(b)) return column.is_missing(a);
    return column.text(a) < column.text(b);
  };
  if (column.is_numeric() || std::is_sorted(ranks.begin(), ranks.end(), precedes)) return {};
  std::vector<Code> by_text = ranks;
  std::sort(by_text.begin(), by_text.end(), precedes);
  for (Code rank = 0; rank < by_text.size(); ++rank) ranks[by_text[rank]] = rank;
  return ranks;
}

// Cells are compared by their values as sequences of ranks: a value is a sequence of one, an interval one of two, a set has
// all its values. A label comes behind those, `*` last.
class CellRanks {
 public:
  CellRanks(const Column& column, const ReleasedColumn& released) : released_(released) {
    order_ = UpTo(released.cells.size());
    ranks_of_codes_ = RanksOfCodes(column);
    num_codes_ = column.num_codes();
    if (released.sets.empty() && released.labels.empty()) {
      SortByBounds();
    } else {
      SortBySequence();
    }
    Number(column);
  }
  /// By cell; cells that are written alike have the same.
  const std::vector<uint32_t>& ranks() const { return ranks_; }
  uint32_t num_ranks() const { return num_ranks_; }

 private:
  Code Rank(Code code) const { return ranks_of_codes_.empty() ? code : ranks_of_codes_[code]; }

  void SortByBounds() {
    const uint32_t num_keys = num_codes_ + 1;
    const auto bound = [&](const Cell& cell, Code code) {
      return cell.form == Cell::Form::kMask ? num_codes_ : Rank(code);
    };
    const std::vector<Cell>& cells = released_.cells;
    RadixSort(order_, num_keys, [&](uint32_t i) { return bound(cells[i], cells[i].high); });
    RadixSort(order_, num_keys, [&](uint32_t i) { return bound(cells[i], cells[i].low); });
  }

  void SortBySequence() {
    std::vector<std::vector<Code>> sequences;
    for (const Cell& cell : released_.cells) {
      std::vector<Code>& sequence = sequences.emplace_back();
      if (cell.form == Cell::Form::kSet) sequence = released_.sets[cell.index];
      if (cell.form == Cell::Form::kValue) sequence = {cell.low};
      if (cell.form == Cell::Form::kInterval) sequence = {cell.low, cell.high};
      for (Code& code : sequence) code = Rank(code);
      std::sort(sequence.begin(), sequence.end());
    }
    const auto kind = [&](uint32_t i) {
      const Cell::Form form = released_.cells[i].form;
      return form == Cell::Form::kMask ? 2 : form == Cell::Form::kLabel ? 1 : 0;
    };
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      if (kind(a) != kind(b)) return kind(a) < kind(b);
      if (kind(a) != 1) return sequences[a] != sequences[b] ? sequences[a] < sequences[b] : a < b;
      return released_.labels[released_.cells[a].index] < released_.labels[released_.cells[b].index];
    });
  }

  // Two nodes of a hierarchy may be written alike, and a label like a value.
  void Number(const Column& column) {
    ranks_.resize(order_.size());
    std::unordered_map<std::string, uint32_t> by_text;
    for (const uint32_t cell : order_) {
      if (released_.leaves.empty()) {
        ranks_[cell] = num_ranks_++;
        continue;
      }
      const auto [found, is_new] = by_text.try_emplace(CellText(column, released_, released_.cells[cell]), num_ranks_);
      ranks_[cell] = found->second;
      if (is_new) ++num_ranks_;
    }
  }

  const ReleasedColumn& released_;
  std::vector<Code> ranks_of_codes_;
  Code num_codes_ = 0;
  std::vector<uint32_t> order_, ranks_;
  uint32_t num_ranks_ = 0;
};

// Groups that show the same cells are one class; classes are numbered by their cells.
struct Classes {
  std::vector<uint32_t> of_group;
  uint32_t num_classes = 0;
};

Classes FindClasses(const Release& release) {
  std::vector<uint32_t> groups = UpTo(release.num_groups);
  std::vector<uint8_t> differs(groups.size(), 0);
  std::vector<std::vector<uint32_t>> ranks;  // by column, by group
  for (size_t c = release.columns.size(); c-- > 0;) {
    const ReleasedColumn& column = release.columns[c];
    if (!column.recoded) continue;
    const CellRanks cells(column.shown(release.table->column(column.source)), column);
    std::vector<uint32_t>& of_group = ranks.emplace_back(groups.size());
    for (GroupId group = 0; group < groups.size(); ++group)
      of_group[group] = cells.ranks()[column.cell_of_group[group]];
    RadixSort(groups, cells.num_ranks(), [&](uint32_t group) { return of_group[group]; });
  }
  for (const std::vector<uint32_t>& of_group : ranks) {
    for (size_t i = 1; i < groups.size(); ++i) {
      if (of_group[groups[i]] != of_group[groups[i - 1]]) differs[i] = 1;
    }
  }
  Classes classes{std::vector<uint32_t>(groups.size()), groups.empty() ? 0u : 1u};
  for (size_t i = 0; i < groups.size(); ++i) {
    classes.num_classes += differs[i];
    classes.of_group[groups[i]] = classes.num_classes - 1;
  }
  return classes;
}

}  // namespace

void SortByValues(const Table& table, std::span<const ColumnId> columns, std::vector<RowId>& rows) {
  for (size_t c = columns.size(); c-- > 0;) {
    const Column& column = table.column(columns[c]);
    const std::vector<Code> ranks = RanksOfCodes(column);
    column.codes().Visit([&](auto codes) {
      if (ranks.empty()) {
        RadixSort(rows, column.num_codes(), [&](RowId row) { return uint32_t{codes[row]}; });
      } else {
        RadixSort(rows, column.num_codes(), [&](RowId row) { return ranks[codes[row]]; });
      }
    });
  }
}

void SortByCells(const Release& release, const Workers& workers, std::vector<RowId>& rows) {
  const Classes classes = FindClasses(release);
  RawVector<uint32_t> class_of_row(release.group_of_row.size());
  workers.ForBlocks(class_of_row.size(), kLeastPiece, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const GroupId group = release.group_of_row[row];
      if (group < release.num_groups) class_of_row[row] = classes.of_group[group];  // else it is withheld
    }
  });
  // Each thread counts the classes of a piece of the rows; what stands before a row are those of lower classes, and those of its own class
  // in pieces before.
  const size_t pieces = std::clamp<size_t>(rows.size() / kLeastPiece, 1, static_cast<size_t>(workers.threads()));
  RawVector<RowId> unsorted(
      rows.size());  // its pages are touched first by all threads, which takes longer than the copy
  const auto piece = [&](size_t i) {
    const size_t begin = rows.size() * i / pieces, end = rows.size() * (i + 1) / pieces;
    return std::span<RowId>(unsorted).subspan(begin, end - begin);
  };
  std::vector<std::vector<uint32_t>> next(pieces);  // by piece, by class
  workers.For(pieces, [&](size_t i) {
    next[i].resize(classes.num_classes);
    const std::span<RowId> own = piece(i);
    std::copy_n(rows.begin() + (own.data() - unsorted.data()), own.size(), own.begin());
    for (const RowId row : own) ++next[i][class_of_row[row]];
  });
  uint32_t begin = 0;
  for (uint32_t number = 0; number < classes.num_classes; ++number) {
    for (std::vector<uint32_t>& of_piece : next) begin += std::exchange(of_piece[number], begin);
  }
  workers.For(pieces, [&](size_t i) {
    for (const RowId row : piece(i)) rows[next[i][class_of_row[row]]++] = row;
  });
}

}  // namespace tada
