#include "partition/mondrian/ncp_split.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/fault.h"
#include "learn/features/code_list.h"

namespace tada {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// One column of a node. A rank counts the different codes of the node from 0, in order.
struct NodeColumn {
  explicit NodeColumn(Code num_codes) : list(num_codes), rank_of_code(num_codes) {}

  CodeList list;
  std::vector<uint32_t> rank_of_code;
  std::vector<Code> codes;      // by position in the node
  std::vector<uint32_t> ranks;  // by position in the node
  std::vector<Code> code_of_rank;
  std::vector<uint32_t> value_rank;  // by rank: spellings of one value share it
  uint32_t num_ranks() const { return static_cast<uint32_t>(code_of_rank.size()); }
};

struct PricedCut {
  double cost = std::numeric_limits<double>::infinity();
  uint32_t column = kNone, rank = 0;  // ranks up to this one go left
};

struct NcpScratch final : SplitScratch {
  NcpScratch(const Problem& problem, const LossModel& loss)
      : left_tally(problem.checker.EmptyTally()), right_tally(problem.checker.EmptyTally()) {
    for (size_t i = 0; i < loss.num_columns(); ++i) columns.emplace_back(loss.column(i).num_codes());
  }

  std::vector<NodeColumn> columns;
  std::vector<uint32_t> rows_up_to;    // by rank of the column to cut: rows with that rank or a lower one
  std::vector<double> left, right;     // by rank: sum of spans of the two sides of the cut behind it
  std::vector<Code> low, high;         // by rank: extent of another column among its rows
  std::vector<uint32_t> first, last;   // by value of another column: first and last rank where it occurs
  std::vector<uint32_t> begins, ends;  // by rank: how many values occur first / last here
  std::vector<uint64_t> masks;         // by rank: sensitive values
  std::vector<uint32_t> by_rank;       // positions in the order of their ranks
  Tally left_tally, right_tally;
};

void ListColumn(const NodeRows& rows, const Node& node, uint32_t index, const ColumnLoss& loss, NodeColumn& column) {
  column.codes.resize(node.size());
  column.ranks.resize(node.size());
  column.code_of_rank.clear();
  rows.rows.Visit(index, node.begin, node.end, [&](auto codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      column.codes[i] = codes[i];
      column.list.Add(codes[i]);
    }
  });
  column.list.Drain([&](Code code) {
    column.rank_of_code[code] = column.num_ranks();
    column.code_of_rank.push_back(code);
  });
  for (size_t i = 0; i < column.codes.size(); ++i) column.ranks[i] = column.rank_of_code[column.codes[i]];
  if (loss.is_numeric()) return;
  column.value_rank.resize(column.num_ranks());
  uint32_t value = 0;
  for (uint32_t rank = 0; rank < column.num_ranks(); ++rank) {
    if (rank > 0 && loss.value(column.code_of_rank[rank]) != loss.value(column.code_of_rank[rank - 1])) ++value;
    column.value_rank[rank] = value;
  }
}

// The cuts of a column, first to last, that leave enough rows and, if masks tell, enough sensitive values on both sides.
// Both only grow on the left and shrink on the right, so these cuts are neighbours.
struct CutRange {
  uint32_t first = 1, last = 0;
  bool empty() const { return first > last; }
};

CutRange CutsWithEnoughRows(const NodeColumn& column, uint64_t smallest, NcpScratch& scratch) {
  const uint32_t num_ranks = column.num_ranks();
  scratch.rows_up_to.assign(num_ranks, 0);
  for (const uint32_t rank : column.ranks) ++scratch.rows_up_to[rank];
  for (uint32_t rank = 1; rank < num_ranks; ++rank) scratch.rows_up_to[rank] += scratch.rows_up_to[rank - 1];
  const uint64_t all = column.ranks.size();
  CutRange range{0, num_ranks - 2};
  while (range.first + 1 < num_ranks && scratch.rows_up_to[range.first] < smallest) ++range.first;
  while (range.last > range.first && all - scratch.rows_up_to[range.last] < smallest) --range.last;
  if (range.first + 1 >= num_ranks || all - scratch.rows_up_to[range.last] < smallest) return {};
  return range;
}

CutRange CutsWithEnoughValues(const NodeRows& rows, const Node& node, const Checker& checker, const NodeColumn& column,
                              CutRange range, NcpScratch& scratch) {
  const uint32_t num_ranks = column.num_ranks();
  for (uint32_t s = 0; s < checker.sensitive().size(); ++s) {
    const uint64_t counted = checker.sensitive()[s].counted_bits();
    scratch.masks.assign(num_ranks, 0);
    rows.rows.Visit(rows.first_sensitive + s, node.begin, node.end, [&](auto values) {
      for (size_t i = 0; i < values.size(); ++i) scratch.masks[column.ranks[i]] |= uint64_t{1} << values[i];
    });
    const auto enough = [&](uint64_t mask) {
      return static_cast<uint32_t>(std::popcount(mask & counted)) >= checker.distinct_l();
    };
    uint64_t mask = 0;
    uint32_t rank = 0;
    while (rank < num_ranks && !enough(mask |= scratch.masks[rank])) ++rank;
    range.first = std::max(range.first, rank);
    mask = 0;
    rank = num_ranks;
    while (rank > 0 && !enough(mask |= scratch.masks[rank - 1])) --rank;
    if (rank < 2) return {};  // the right side has ranks from rank - 1 on at the latest
    range.last = std::min(range.last, rank - 2);
    if (range.empty()) return {};
  }
  return range;
}

// Adds the spans of numeric column `other` on both sides of every cut of `column`.
void AddNumericSpans(const NodeColumn& column, const NodeColumn& other, const ColumnLoss& loss, NcpScratch& scratch) {
  const uint32_t num_ranks = column.num_ranks();
  if (&column == &other) {
    for (uint32_t rank = 0; rank + 1 < num_ranks; ++rank) {
      scratch.left[rank] += loss.NumericSpan(column.code_of_rank[0], column.code_of_rank[rank]);
      scratch.right[rank] += loss.NumericSpan(column.code_of_rank[rank + 1], column.code_of_rank[num_ranks - 1]);
    }
    return;
  }
  scratch.low.assign(num_ranks, std::numeric_limits<Code>::max());
  scratch.high.assign(num_ranks, 0);
  for (size_t i = 0; i < column.ranks.size(); ++i) {
    const uint32_t rank = column.ranks[i];
    scratch.low[rank] = std::min(scratch.low[rank], other.codes[i]);
    scratch.high[rank] = std::max(scratch.high[rank], other.codes[i]);
  }
  Code low = std::numeric_limits<Code>::max(), high = 0;
  for (uint32_t rank = 0; rank + 1 < num_ranks; ++rank) {
    low = std::min(low, scratch.low[rank]);
    high = std::max(high, scratch.high[rank]);
    scratch.left[rank] += loss.NumericSpan(low, high);
  }
  low = std::numeric_limits<Code>::max(), high = 0;
  for (uint32_t rank = num_ranks - 1; rank > 0; --rank) {
    low = std::min(low, scratch.low[rank]);
    high = std::max(high, scratch.high[rank]);
    scratch.right[rank - 1] += loss.NumericSpan(low, high);
  }
}

// The same for a column of names. A value is on the left of a cut if it occurs first at or before it, on the right if it
// occurs last behind it; so two counts per value tell the sizes of all sets, whatever the domain.
void AddSetSpans(const NodeColumn& column, const NodeColumn& other, const ColumnLoss& loss, NcpScratch& scratch) {
  const uint32_t num_ranks = column.num_ranks();
  const uint32_t num_values = other.value_rank.back() + 1;
  scratch.first.assign(num_values, kNone);
  scratch.last.assign(num_values, 0);
  for (size_t i = 0; i < column.ranks.size(); ++i) {
    const uint32_t value = other.value_rank[other.ranks[i]], rank = column.ranks[i];
    scratch.first[value] = std::min(scratch.first[value], rank);
    scratch.last[value] = std::max(scratch.last[value], rank);
  }
  scratch.begins.assign(num_ranks, 0);
  scratch.ends.assign(num_ranks, 0);
  for (uint32_t value = 0; value < num_values; ++value) {
    ++scratch.begins[scratch.first[value]];
    ++scratch.ends[scratch.last[value]];
  }
  uint32_t begun = 0, ended = 0;
  for (uint32_t rank = 0; rank + 1 < num_ranks; ++rank) {
    begun += scratch.begins[rank];
    ended += scratch.ends[rank];
    scratch.left[rank] += loss.CountSpan(begun);
    scratch.right[rank] += loss.CountSpan(num_values - ended);
  }
}

// Asks a requirement that only tallies can answer, cut by cut, where the cost says that the answer matters.
class TallySweep {
 public:
  TallySweep(const NodeRows& rows, const Node& node, const Checker& checker, const NodeColumn& column,
             NcpScratch& scratch)
      : rows_(rows), node_(node), checker_(checker), scratch_(scratch) {
    std::vector<uint32_t>& by_rank = scratch.by_rank;
    by_rank.resize(node.size());
    std::vector<uint32_t> at(column.num_ranks(), 0);
    for (uint32_t rank = 1; rank < column.num_ranks(); ++rank) at[rank] = scratch.rows_up_to[rank - 1];
    for (uint32_t i = 0; i < node.size(); ++i) by_rank[at[column.ranks[i]]++] = i;
    scratch.left_tally.Clear();
    scratch.right_tally.Clear();
    scratch.right_tally.rows = node.size();
    ForMarks(0, node.size(), [&](size_t s, Code mark) { checker.AddMark(s, mark, scratch.right_tally); });
  }

  /// Whether both sides of the cut behind `rank` meet the requirement; ranks must come in ascending order.
  bool Holds(uint32_t rank) {
    const uint32_t end = scratch_.rows_up_to[rank];
    ForMarks(done_, end, [&](size_t s, Code mark) {
      checker_.AddMark(s, mark, scratch_.left_tally);
      checker_.RemoveMark(s, mark, scratch_.right_tally);
    });
    done_ = end;
    scratch_.left_tally.rows = end;
    scratch_.right_tally.rows = node_.size() - end;
    return checker_.Holds(scratch_.left_tally) && checker_.Holds(scratch_.right_tally);
  }

 private:
  template <class F>
  void ForMarks(uint32_t begin, uint32_t end, F&& f) {
    for (uint32_t s = 0; s < checker_.sensitive().size(); ++s) {
      rows_.rows.Visit(rows_.first_sensitive + s, node_.begin, node_.end, [&](auto values) {
        for (uint32_t i = begin; i < end; ++i) f(s, static_cast<Code>(values[scratch_.by_rank[i]]));
      });
    }
  }

  const NodeRows& rows_;
  const Node& node_;
  const Checker& checker_;
  NcpScratch& scratch_;
  uint32_t done_ = 0;
};

}  // namespace

std::unique_ptr<SplitScratch> NcpChooser::MakeScratch() const { return std::make_unique<NcpScratch>(problem_, loss_); }

uint32_t NcpChooser::Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  const Checker& checker = problem_.checker;
  if (node.size() < 2 * checker.smallest_group()) return 0;
  problem_.workers.Poll();
  auto& scratch = static_cast<NcpScratch&>(base);
  const auto num_columns = static_cast<uint32_t>(loss_.num_columns());
  for (uint32_t i = 0; i < num_columns; ++i) ListColumn(rows, node, i, loss_.column(i), scratch.columns[i]);

  PricedCut best;
  for (uint32_t i = 0; i < num_columns; ++i) {
    const NodeColumn& column = scratch.columns[i];
    const uint32_t num_ranks = column.num_ranks();
    if (num_ranks < 2) continue;
    CutRange range = CutsWithEnoughRows(column, TADA_FAULT("cost-rows") ? 1 : checker.smallest_group(), scratch);
    if (range.empty()) continue;
    if (checker.distinct_l() > 0 && !TADA_FAULT("cost-values"))
      range = CutsWithEnoughValues(rows, node, checker, column, range, scratch);
    if (range.empty()) continue;
    scratch.left.assign(num_ranks, 0);
    scratch.right.assign(num_ranks, 0);
    for (uint32_t j = 0; j < num_columns; ++j) {
      const NodeColumn& other = scratch.columns[j];
      if (other.num_ranks() < 2) continue;
      if (loss_.column(j).is_numeric()) {
        AddNumericSpans(column, other, loss_.column(j), scratch);
      } else if (cost_ == SplitCost::kNcp) {
        AddSetSpans(column, other, loss_.column(j), scratch);
      }
    }
    std::optional<TallySweep> sweep;
    if (checker.needs_values() && checker.distinct_l() == 0) sweep.emplace(rows, node, checker, column, scratch);
    for (uint32_t rank = range.first; rank <= range.last; ++rank) {
      const double on_left = scratch.rows_up_to[rank], on_right = node.size() - on_left;
      const double cost = cost_ == SplitCost::kNcp ? on_left * scratch.left[rank] + on_right * scratch.right[rank]
                                                   : scratch.left[rank] + scratch.right[rank];
      // A plain comparison: the paper's own numbers come out only if costs that differ in the last bit differ.
      if (cost < best.cost && (!sweep || sweep->Holds(rank))) best = {cost, i, rank};
    }
  }
  if (best.column == kNone) return 0;
  const NodeColumn& column = scratch.columns[best.column];
  scratch.child.resize(node.size());
  for (uint32_t i = 0; i < node.size(); ++i) scratch.child[i] = column.ranks[i] > best.rank ? 1 : 0;
  return 2;
}

Groups SplitByCost(const Problem& problem, const Groups& groups, SplitCost cost, std::string_view stage) {
  const LossModel loss(problem);
  const NcpChooser chooser(problem, loss, cost);
  if (!groups.masked()) return SplitAll(problem, groups, chooser, stage);
  std::vector<std::vector<RowId>> lists;
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    const auto rows = groups.rows(group);
    if (groups.masked() != group) lists.emplace_back(rows.begin(), rows.end());
  }
  Groups result = SplitAll(problem, Groups::FromLists(lists), chooser, stage);
  const auto aside = groups.rows(*groups.masked());
  result.Append(Groups::One({aside.begin(), aside.end()}));
  result.set_masked(result.num_groups() - 1);
  return result;
}

}  // namespace tada
