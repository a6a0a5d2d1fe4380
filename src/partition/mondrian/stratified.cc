#include "partition/mondrian/stratified.h"

#include <algorithm>
#include <numeric>

#include "partition/engine/loss_model.h"
#include "partition/engine/split_engine.h"
#include "partition/engine/splits/admissible.h"
#include "partition/mondrian/ncp_split.h"

namespace tada {
namespace {

constexpr uint64_t kRanges = 10;  // of a column that is compared by order

// Which stratum each mark of a sensitive column belongs to; nothing if its distribution is not compared.
std::vector<Code> StrataOf(const Problem& problem, const Groups& groups, const CountedColumn& column) {
  if (column.source == nullptr) return {};
  bool compared = false, by_range = true;
  for (const Demand& demand : problem.checker.requirement().more) {
    if (!ComparesDistributions(demand) || (!demand.column.empty() && demand.column != column.source->name())) continue;
    const bool ordered =
        demand.kind == "ordered" || (demand.kind.empty() && column.source->kind() != Kind::kCategorical);
    compared = true;
    by_range = by_range && demand.name == "closeness" && ordered;
  }
  std::vector<Code> stratum_of(compared ? column.num_marks() : 0);
  std::iota(stratum_of.begin(), stratum_of.end(), Code{0});
  if (!compared || !by_range) return stratum_of;
  std::vector<uint64_t> counts(column.num_values, 0);
  problem.table.column(column.column).codes().Visit([&](auto codes) {
    for (const RowId row : groups.order()) {
      column.ForEachValue(column.mark_of_code[codes[row]], [&](Code value) { ++counts[value]; });
    }
  });
  const uint64_t all = std::max<uint64_t>(1, std::accumulate(counts.begin(), counts.end(), uint64_t{0}));
  uint64_t up_to = 0;
  std::vector<uint8_t> seen(column.num_values, 0);
  for (const Code value : column.value_of_code) {  // codes ascend
    if (std::exchange(seen[value], 1) != 0) continue;
    up_to += counts[value];
    stratum_of[value] = static_cast<Code>(std::min(up_to * kRanges / all, kRanges - 1));
  }
  for (size_t set = 0; set < column.sets.size(); ++set) {
    stratum_of[column.num_values + set] = stratum_of[column.sets[set].front()];
  }
  return stratum_of;
}

// The groups with their rows sorted by stratum, then by the quasi-identifiers, the last one first.
Groups Sorted(const Problem& problem, const Groups& groups, const std::vector<std::vector<Code>>& strata) {
  std::vector<std::vector<RowId>> lists(groups.num_groups());
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    std::vector<RowId>& rows = lists[group];
    rows.assign(groups.rows(group).begin(), groups.rows(group).end());
    const auto sort_by = [&](const auto& key_of) {
      std::stable_sort(rows.begin(), rows.end(), [&](RowId a, RowId b) { return key_of(a) < key_of(b); });
    };
    for (size_t i = 0; i < problem.num_quasi(); ++i) {
      problem.quasi(i).codes().Visit([&](auto codes) { sort_by([&](RowId row) { return codes[row]; }); });
    }
    for (size_t s = 0; s < strata.size(); ++s) {
      const CountedColumn& column = problem.checker.sensitive()[s];
      if (strata[s].empty()) continue;
      problem.table.column(column.column).codes().Visit([&](auto codes) {
        sort_by([&](RowId row) { return strata[s][column.mark_of_code[codes[row]]]; });
      });
    }
  }
  return Groups::FromLists(lists);
}

struct StratifiedScratch final : SplitScratch {
  StratifiedScratch(const Problem& problem, const LossModel& loss, std::unique_ptr<SplitScratch> of_plain)
      : admissible(problem), plain(std::move(of_plain)) {
    for (size_t i = 0; i < loss.num_columns(); ++i) seen.emplace_back(loss.column(i).num_values(), 0);
  }

  Admissible admissible;
  std::unique_ptr<SplitScratch> plain;
  std::vector<uint32_t> stratum_ends;        // of the node, behind each
  std::vector<std::vector<uint32_t>> codes;  // by column, by position
  std::vector<std::vector<uint32_t>> seen;   // by column, by value: when it was last counted
  uint32_t now = 0;
  std::vector<uint64_t> sorted;  // code and position
  std::vector<uint16_t> best;
};

class StratifiedChooser final : public SplitChooser {
 public:
  StratifiedChooser(const Problem& problem, const LossModel& loss, const std::vector<std::vector<Code>>& strata,
                    bool with_plain, bool halves)
      : problem_(problem),
        loss_(loss),
        strata_(strata),
        plain_(problem, loss, SplitCost::kNcp),
        with_plain_(with_plain),
        halves_(halves) {}

  std::unique_ptr<SplitScratch> MakeScratch() const override {
    return std::make_unique<StratifiedScratch>(problem_, loss_, plain_.MakeScratch());
  }

  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const override {
    const uint64_t smallest = problem_.checker.smallest_group();
    if (node.size() < 2 * smallest) return 0;
    problem_.workers.Poll();
    auto& scratch = static_cast<StratifiedScratch&>(base);
    Load(rows, node, scratch);
    scratch.child.assign(node.size(), 0);
    double least = Cost(scratch, scratch.child);  // of the node as it is
    bool found = false;
    const auto take = [&](std::span<const uint16_t> child) {
      const double cost = Cost(scratch, child);
      if (cost >= least) return;
      const auto right = static_cast<uint64_t>(std::count(child.begin(), child.end(), uint16_t{1}));
      if (right < smallest || node.size() - right < smallest) return;
      if (!scratch.admissible.BothSides(rows, node, child)) return;
      least = cost;
      found = true;
      scratch.best.assign(child.begin(), child.end());
    };
    for (uint32_t column = 0; column < loss_.num_columns(); ++column) {
      const auto& codes = scratch.codes[column];
      if (std::ranges::adjacent_find(codes, std::not_equal_to<>()) == codes.end()) continue;
      Cut(column, node.size(), scratch);
      take(scratch.child);
    }
    if (with_plain_ && plain_.Choose(rows, node, *scratch.plain) == 2) take(scratch.plain->child);
    if (!found) return 0;
    scratch.child = scratch.best;
    return 2;
  }

 private:
  // Copies the codes of the node, and finds where its strata end: positions are sorted by them, whatever was cut before.
  void Load(const NodeRows& rows, const Node& node, StratifiedScratch& scratch) const {
    scratch.codes.resize(loss_.num_columns());
    for (uint32_t i = 0; i < loss_.num_columns(); ++i) {
      rows.rows.Visit(i, node.begin, node.end,
                      [&](auto codes) { scratch.codes[i].assign(codes.begin(), codes.end()); });
    }
    std::vector<uint8_t> begins(node.size(), 0);
    for (uint32_t s = 0; s < strata_.size(); ++s) {
      if (strata_[s].empty()) continue;
      rows.rows.Visit(rows.first_sensitive + s, node.begin, node.end, [&](auto marks) {
        for (size_t i = 1; i < marks.size(); ++i) {
          if (strata_[s][marks[i]] != strata_[s][marks[i - 1]]) begins[i] = 1;
        }
      });
    }
    scratch.stratum_ends.clear();
    for (uint32_t i = 1; i < node.size(); ++i) {
      if (begins[i] != 0) scratch.stratum_ends.push_back(i);
    }
    scratch.stratum_ends.push_back(node.size());
  }

  // Sends the same share of every stratum to the left, those with the lowest codes; what rounding takes from one stratum the next
  // one gets.
  void Cut(uint32_t column, uint64_t size, StratifiedScratch& scratch) const {
    const uint64_t whole =
        halves_ ? 2 : std::max<uint64_t>(2, size / static_cast<uint64_t>(problem_.checker.requirement().k));
    const uint64_t part = whole / 2;
    uint64_t sent = 0;
    uint32_t begin = 0;
    std::ranges::fill(scratch.child, uint16_t{1});
    for (const uint32_t end : scratch.stratum_ends) {
      scratch.sorted.clear();
      for (uint32_t i = begin; i < end; ++i) scratch.sorted.push_back(uint64_t{scratch.codes[column][i]} << 32 | i);
      const uint64_t due = (2 * end * part + whole) / (2 * whole);
      const auto middle = scratch.sorted.begin() + static_cast<std::ptrdiff_t>(due - sent);
      std::nth_element(scratch.sorted.begin(), middle, scratch.sorted.end());
      for (auto item = scratch.sorted.begin(); item != middle; ++item) scratch.child[*item & UINT32_MAX] = 0;
      sent = due;
      begin = end;
    }
  }

  // Rows times spans, of both sides.
  double Cost(StratifiedScratch& scratch, std::span<const uint16_t> child) const {
    double spans[2] = {0, 0};
    uint64_t sizes[2] = {0, 0};
    for (const uint16_t side : child) ++sizes[side];
    for (uint32_t i = 0; i < loss_.num_columns(); ++i) {
      const ColumnLoss& loss = loss_.column(i);
      const std::vector<uint32_t>& codes = scratch.codes[i];
      if (loss.is_numeric()) {
        Code low[2] = {UINT32_MAX, UINT32_MAX}, high[2] = {0, 0};
        for (size_t at = 0; at < codes.size(); ++at) {
          low[child[at]] = std::min(low[child[at]], codes[at]);
          high[child[at]] = std::max(high[child[at]], codes[at]);
        }
        for (const int side : {0, 1}) {
          if (sizes[side] > 0) spans[side] += loss.NumericSpan(low[side], high[side]);
        }
        continue;
      }
      uint32_t values[2] = {0, 0};
      for (const uint16_t side : {uint16_t{0}, uint16_t{1}}) {
        const uint32_t now = ++scratch.now;
        for (size_t at = 0; at < codes.size(); ++at) {
          if (child[at] != side) continue;
          if (std::exchange(scratch.seen[i][loss.value(codes[at])], now) != now) ++values[side];
        }
        spans[side] += loss.CountSpan(values[side]);
      }
    }
    return static_cast<double>(sizes[0]) * spans[0] + static_cast<double>(sizes[1]) * spans[1];
  }

  const Problem& problem_;
  const LossModel& loss_;
  const std::vector<std::vector<Code>>& strata_;
  NcpChooser plain_;
  bool with_plain_, halves_;
};

}  // namespace

Groups SplitStratified(const Problem& problem, const Groups& groups, std::string_view stage) {
  const LossModel loss(problem);
  std::vector<std::vector<Code>> strata;
  for (const CountedColumn& column : problem.checker.sensitive()) strata.push_back(StrataOf(problem, groups, column));
  const Groups sorted = Sorted(problem, groups, strata);
  Groups best = SplitByCost(problem, groups, SplitCost::kNcp, stage);
  double least = loss.Ncp(best, problem.workers);
  for (const bool with_plain : {false, true}) {
    for (const bool halves : {false, true}) {
      const StratifiedChooser chooser(problem, loss, strata, with_plain, halves);
      Groups made = SplitAll(problem, sorted, chooser, stage);
      const double ncp = loss.Ncp(made, problem.workers);
      if (ncp >= least) continue;
      least = ncp;
      best = std::move(made);
    }
  }
  return best;
}

OptionSpec StratifyOptionSpec() {
  return {.name = "stratify",
          .type = OptionType::kFlag,
          .choices = {"never"},
          .section = "Cuts",
          .help =
              "Cut the rows of every sensitive value at their own place, so that both sides keep the distribution, "
              "where --closeness, --likeness or --disclosure is asked. They are made by default there; 'never' leaves "
              "them out."};
}

}  // namespace tada
