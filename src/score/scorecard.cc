#include "score/scorecard.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>

#include "base/random.h"
#include "table/label.h"

namespace tada {
namespace {

// Rows of each group that are in the release. The only loop over rows: everything below works per group or per cell.
std::vector<uint64_t> GroupSizes(const Release& release, const Workers& workers) {
  constexpr size_t kLeastPiece = 1 << 18;  // rows that a thread takes at once
  const size_t rows = release.row_order.size();
  const bool all = rows == release.group_of_row.size();  // nothing withheld: read groups in memory order
  const size_t pieces = std::clamp<size_t>(rows / kLeastPiece, 1, static_cast<size_t>(workers.threads()));
  std::vector<std::vector<uint64_t>> sizes(pieces);
  workers.For(pieces, [&](size_t piece) {
    std::vector<uint64_t>& own = sizes[piece];
    own.resize(release.num_groups);
    const size_t begin = rows * piece / pieces, end = rows * (piece + 1) / pieces;
    for (size_t i = begin; i < end; ++i) ++own[release.group_of_row[all ? i : release.row_order[i]]];
  });
  for (size_t piece = 1; piece < pieces; ++piece) {
    for (GroupId group = 0; group < release.num_groups; ++group) sizes[0][group] += sizes[piece][group];
  }
  return std::move(sizes[0]);
}

// What is known of a column.
struct ColumnSpan {
  double bottom = 0, top = 0;  // of numbers
  uint64_t values = 0;         // different ones
};

ColumnSpan SpanOfInput(const Column& column) {
  ColumnSpan span{0, 0, column.num_values()};
  if (!column.is_numeric() || column.num_codes() == column.num_missing()) return span;
  span.bottom = column.number(column.num_missing());
  span.top = column.number(column.num_codes() - 1);
  return span;
}

// The same of what cells that rows have show. `column` has the codes of the cells.
ColumnSpan SpanOfCells(const Column& column, const ReleasedColumn& released,
                       const std::vector<uint64_t>& rows_of_cell) {
  ColumnSpan span{INFINITY, -INFINITY, 0};
  std::vector<uint8_t> shown(column.num_values(), 0);
  const auto reach = [&](double number) {
    span.bottom = std::min(span.bottom, number);
    span.top = std::max(span.top, number);
  };
  const auto show = [&](Code code) {
    shown[column.value_id(code)] = 1;
    if (column.is_numeric() && !column.is_missing(code)) reach(column.number(code));
  };
  for (size_t i = 0; i < released.cells.size(); ++i) {
    const Cell& cell = released.cells[i];
    if (rows_of_cell[i] == 0 || cell.form == Cell::Form::kMask) continue;
    if (cell.form == Cell::Form::kSet) {
      for (const Code code : released.sets[cell.index]) show(code);
    } else if (cell.form == Cell::Form::kLabel) {
      ++span.values;
      for (const auto& bound : LabelBounds(column, released.labels[cell.index])) {
        if (bound) reach(*bound);
      }
    } else {
      show(cell.low);
      show(cell.high);
    }
  }
  span.values += static_cast<uint64_t>(std::count(shown.begin(), shown.end(), 1));
  return span;
}

// Different values among sorted codes; spellings of one value are next to each other.
uint64_t CountValues(const Column& column, const std::vector<Code>& codes) {
  uint64_t values = 0;
  for (size_t i = 0; i < codes.size(); ++i) values += i == 0 || !column.same_value(codes[i - 1], codes[i]);
  return values;
}

// The part of its column's span that a cell leaves open, in [0, 1].
double CellLoss(const Column& column, const ReleasedColumn& released, size_t index, const ColumnSpan& span) {
  const Cell& cell = released.cells[index];
  if (span.values == 1) return 0.0;  // constant: even a mask hides nothing
  switch (cell.form) {
    case Cell::Form::kValue:
      return 0.0;
    case Cell::Form::kInterval:
      return std::min(1.0, SpanShare(column.number(cell.low), column.number(cell.high), span.bottom, span.top));
    case Cell::Form::kSet:
      return CountShare(CountValues(column, released.sets[cell.index]), span.values);
    case Cell::Form::kLabel:
      return LabelLoss(column, released.labels[cell.index], released.leaves[index], span.bottom, span.top);
    case Cell::Form::kMask:
      return 1.0;
  }
  return 1.0;
}

// The same by leaves, of a column that has a hierarchy.
double LeafLoss(const Column& column, const Cell& cell, Code leaves) {
  if (column.num_values() < 2) return 0.0;
  if (cell.form == Cell::Form::kMask) return 1.0;
  return leaves < 2 ? 0.0 : static_cast<double>(leaves) / static_cast<double>(column.num_values());
}

struct ColumnLosses {
  double spans = 0, leaves = 0;
};

ColumnLosses LossesOf(const Release& release, const ReleasedColumn& released, const std::vector<uint64_t>& sizes,
                      double rows, SpansOf spans) {
  const Column& source = release.table->column(released.source);
  const Column& column = released.shown(source);
  std::vector<uint64_t> rows_of_cell(released.cells.size(), 0);
  for (GroupId group = 0; group < release.num_groups; ++group)
    rows_of_cell[released.cell_of_group[group]] += sizes[group];
  const ColumnSpan span = spans == SpansOf::kInput ? SpanOfInput(source) : SpanOfCells(column, released, rows_of_cell);
  ColumnLosses sum;
  for (size_t i = 0; i < released.cells.size(); ++i) {
    if (rows_of_cell[i] == 0) continue;
    const auto share = static_cast<double>(rows_of_cell[i]);
    const double loss = CellLoss(column, released, i, span);
    sum.spans += share * loss;
    sum.leaves += share * (released.leaves.empty() ? loss : LeafLoss(column, released.cells[i], released.leaves[i]));
  }
  return {sum.spans / rows, sum.leaves / rows};
}

// Whether two cells of a column show the same.
bool ShowTheSame(const ReleasedColumn& released, const Cell& a, const Cell& b) {
  if (a.form != b.form) return false;
  switch (a.form) {
    case Cell::Form::kValue:
      return a.low == b.low;
    case Cell::Form::kInterval:
      return a.low == b.low && a.high == b.high;
    case Cell::Form::kSet:
      return released.sets[a.index] == released.sets[b.index];
    case Cell::Form::kLabel:
      return released.labels[a.index] == released.labels[b.index];
    case Cell::Form::kMask:
      return true;
  }
  return false;
}

// Equal for cells that show the same.
uint64_t HashOf(const ReleasedColumn& released, const Cell& cell) {
  uint64_t hash = MixSeed(0, static_cast<uint64_t>(cell.form));
  switch (cell.form) {
    case Cell::Form::kValue:
      return MixSeed(hash, cell.low);
    case Cell::Form::kInterval:
      return MixSeed(hash, uint64_t{cell.low} << 32 | cell.high);
    case Cell::Form::kSet:
      for (const Code code : released.sets[cell.index]) hash = MixSeed(hash, code);
      return hash;
    case Cell::Form::kLabel:
      return MixSeed(hash, std::hash<std::string_view>()(released.labels[cell.index]));
    case Cell::Form::kMask:
      break;
  }
  return hash;
}

// Says which cells of a column show the same: for each cell the first that is equal to it. Two entries of `cells` may say
// the same thing (two masks, two sets with the same codes).
std::vector<uint32_t> FirstEqualCell(const ReleasedColumn& released) {
  constexpr uint32_t kNoCell = UINT32_MAX;
  std::vector<uint32_t> result(released.cells.size());
  const size_t slots = std::bit_ceil(2 * result.size() + 16);
  std::vector<uint32_t> first(slots, kNoCell);  // by hash; what is taken is passed over
  for (uint32_t i = 0; i < result.size(); ++i) {
    size_t slot = HashOf(released, released.cells[i]) & (slots - 1);
    while (first[slot] != kNoCell && !ShowTheSame(released, released.cells[first[slot]], released.cells[i]))
      slot = (slot + 1) & (slots - 1);
    if (first[slot] == kNoCell) first[slot] = i;
    result[i] = first[slot];
  }
  return result;
}

// Sizes of the classes: groups that show the same in every recoded column are added up. Each group has one hash over its
// cells; groups with the same hash are compared cell by cell, so the merge is exact.
class ClassMerger {
 public:
  explicit ClassMerger(const Release& release, const Workers& workers) : release_(release) {
    for (const ReleasedColumn& column : release.columns) {
      if (column.recoded) columns_.push_back(&column);
    }
    first_equal_.resize(columns_.size());
    workers.For(columns_.size(), [&](size_t i) { first_equal_[i] = FirstEqualCell(*columns_[i]); });
    hashes_.assign(release.num_groups, 0);
    workers.ForBlocks(release.num_groups, 1 << 15, [&](size_t begin, size_t end) {
      for (size_t i = 0; i < columns_.size(); ++i) {
        for (size_t group = begin; group < end; ++group) hashes_[group] = MixSeed(hashes_[group], Shown(i, group));
      }
    });
  }

  std::vector<uint64_t> Merge(const std::vector<uint64_t>& sizes) const {
    const size_t slots = std::bit_ceil(std::max<size_t>(16, size_t{2} * release_.num_groups));
    std::vector<uint32_t> class_plus_one(slots, 0);
    std::vector<uint64_t> class_sizes;
    std::vector<GroupId> member;  // one group of each class
    for (GroupId group = 0; group < release_.num_groups; ++group) {
      if (sizes[group] == 0) continue;
      size_t slot = hashes_[group] & (slots - 1);
      while (class_plus_one[slot] != 0 && !Equal(member[class_plus_one[slot] - 1], group))
        slot = (slot + 1) & (slots - 1);
      if (class_plus_one[slot] == 0) {
        member.push_back(group);
        class_sizes.push_back(0);
        class_plus_one[slot] = static_cast<uint32_t>(member.size());
      }
      class_sizes[class_plus_one[slot] - 1] += sizes[group];
    }
    return class_sizes;
  }

 private:
  uint32_t Shown(size_t column, size_t group) const {
    return first_equal_[column][columns_[column]->cell_of_group[group]];
  }
  bool Equal(GroupId a, GroupId b) const {
    if (hashes_[a] != hashes_[b]) return false;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (Shown(i, a) != Shown(i, b)) return false;
    }
    return true;
  }

  const Release& release_;
  std::vector<const ReleasedColumn*> columns_;
  std::vector<std::vector<uint32_t>> first_equal_;
  std::vector<uint64_t> hashes_;
};

uint64_t MaskedRows(const Release& release, const std::vector<uint64_t>& sizes) {
  uint64_t masked = 0;
  for (GroupId group = 0; group < release.num_groups; ++group) {
    bool all = true, any = false;
    for (const ReleasedColumn& column : release.columns) {
      if (!column.recoded) continue;
      any = true;
      all = all && column.cells[column.cell_of_group[group]].form == Cell::Form::kMask;
    }
    if (any && all) masked += sizes[group];
  }
  return masked;
}

void AddClassSizes(const std::vector<uint64_t>& sizes, uint64_t rows, Scorecard& score) {
  std::map<uint64_t, uint64_t> histogram;
  double squares = 0;  // exact up to 2^53, which takes a class of 94 million rows to pass
  for (const uint64_t size : sizes) {
    ++histogram[size];
    squares += static_cast<double>(size) * static_cast<double>(size);
  }
  score.discernibility = squares;
  score.groups = sizes.size();
  score.group_sizes.assign(histogram.begin(), histogram.end());
  if (sizes.empty()) return;
  score.smallest_group = score.group_sizes.front().first;
  score.largest_group = score.group_sizes.back().first;
  score.average_group = static_cast<double>(rows) / static_cast<double>(sizes.size());
}

void AddLosses(const Release& release, const std::vector<const ReleasedColumn*>& quasi,
               const std::vector<ColumnLosses>& losses, SpansOf spans, Scorecard& score) {
  const auto columns = static_cast<double>(quasi.size());
  const bool hierarchies =  // how many of the table's values are below a label is not seen from a release
      spans == SpansOf::kInput &&
      std::any_of(quasi.begin(), quasi.end(), [](const ReleasedColumn* column) { return !column->leaves.empty(); });
  if (hierarchies) score.ncp_leaves = 0;
  for (size_t i = 0; i < quasi.size(); ++i) {
    const std::string& name = release.table->column(quasi[i]->source).name();
    score.per_column.emplace_back(name, losses[i].spans);
    score.ncp += losses[i].spans / columns;
    if (!hierarchies) continue;
    score.per_column_leaves.emplace_back(name, losses[i].leaves);
    *score.ncp_leaves += losses[i].leaves / columns;
  }
}

}  // namespace

std::vector<double> GroupLosses(const Release& release) {
  std::vector<double> losses(release.num_groups, 0.0);
  size_t recoded = 0;
  for (const ReleasedColumn& released : release.columns) {
    if (!released.recoded) continue;
    ++recoded;
    const Column& source = release.table->column(released.source);
    const ColumnSpan span = SpanOfInput(source);
    std::vector<double> of_cell(released.cells.size());
    for (size_t i = 0; i < of_cell.size(); ++i) of_cell[i] = CellLoss(released.shown(source), released, i, span);
    for (GroupId group = 0; group < release.num_groups; ++group)
      losses[group] += of_cell[released.cell_of_group[group]];
  }
  for (double& loss : losses) loss /= static_cast<double>(std::max<size_t>(1, recoded));
  return losses;
}

Scorecard Score(const Release& release, const Workers& workers, SpansOf spans) {
  Scorecard score;
  const std::vector<uint64_t> sizes = GroupSizes(release, workers);
  const uint64_t rows = release.row_order.size();
  AddClassSizes(ClassMerger(release, workers).Merge(sizes), rows, score);
  score.masked_rows = MaskedRows(release, sizes);

  std::vector<const ReleasedColumn*> quasi;
  for (const ReleasedColumn& column : release.columns) {
    if (column.recoded) quasi.push_back(&column);
  }
  std::vector<ColumnLosses> losses(quasi.size());
  if (rows > 0) {
    workers.For(quasi.size(),
                [&](size_t i) { losses[i] = LossesOf(release, *quasi[i], sizes, static_cast<double>(rows), spans); });
  }
  AddLosses(release, quasi, losses, spans, score);
  return score;
}

}  // namespace tada
