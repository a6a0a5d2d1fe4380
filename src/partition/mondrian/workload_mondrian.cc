#include "partition/mondrian/workload_mondrian.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/features/entropy.h"
#include "partition/engine/splits/split_sides.h"

namespace tada {
namespace {

constexpr double kLeastGain = 1e-12;  // of the share of all queries' cost; below this a gain is rounding

// A query as splits are judged by it.
struct Item {
  const BoundQuery* query = nullptr;
  const LabelView* label = nullptr;  // null: it counts
  double scale = 0;                  // weight / cost over all rows
};

// The label among some rows: rows and class counts, or sums.
struct LabelTally {
  LabelSums sums;  // of a number
  uint64_t rows = 0;
  std::vector<uint32_t> classes;
  double Mixed() const {
    if (classes.empty()) return sums.Deviations();
    double mixed = XLog2X(rows);
    for (const uint32_t count : classes) mixed -= XLog2X(count);
    return mixed;
  }
  void Add(const LabelView& label, Code value) {
    if (label.numeric()) {
      sums.Add(label.steps[value]);
    } else {
      ++classes[value];
      ++rows;
    }
  }
  void Move(const LabelTally& part, LabelTally& to) {
    sums.Remove(part.sums), to.sums.Add(part.sums);
    rows -= part.rows, to.rows += part.rows;
    for (size_t c = 0; c < classes.size(); ++c) classes[c] -= part.classes[c], to.classes[c] += part.classes[c];
  }
};

LabelTally EmptyTally(const LabelView& label) {
  LabelTally tally;
  if (!label.numeric()) tally.classes.assign(label.num_values, 0);
  return tally;
}

// What one query has at stake in a node and column.
struct Stake {
  const Item* item = nullptr;
  const BoundCondition* condition = nullptr;  // of a query that counts: on this column
  std::vector<LabelTally> values;             // of a query with a target: by value of the column
  LabelTally left, right;
  uint32_t left_inside = 0, right_inside = 0;  // values on each side that meet the condition
};

struct WorkloadScratch final : SplitScratch {
  WorkloadScratch(const Problem& problem, const MedianChooser& fallback)
      : sides(problem, {}), median(fallback.MakeScratch()) {}

  SplitSides sides;
  ValueTable table;
  std::unique_ptr<SplitScratch> median;
  std::vector<std::vector<uint8_t>> selected;  // by item with a target: which positions its query selects
  std::vector<uint8_t> touched;                // by item that counts: whether the node meets its conditions
  std::vector<Stake> stakes;
};

class WorkloadChooser final : public SplitChooser {
 public:
  WorkloadChooser(const Problem& problem, const NodeRows& rows, const std::vector<BoundQuery>& queries,
                  MondrianOptions median)
      : problem_(problem), labels_(LabelViews(problem, rows)), median_(problem, median) {
    const uint32_t all = rows.rows.num_positions();
    for (const BoundQuery& query : queries) {
      Item item{&query, query.target ? &labels_[*query.target] : nullptr, 0};
      double cost = all;
      if (item.label != nullptr) {
        std::vector<uint8_t> selected;
        Select(rows, {0, all, 0, 0, nullptr}, query, selected);
        LabelTally tally = EmptyTally(*item.label);
        rows.rows.Visit(item.label->column, 0, all, [&](auto values) {
          for (size_t i = 0; i < values.size(); ++i) {
            if (selected[i] != 0) tally.Add(*item.label, values[i]);
          }
        });
        cost = tally.Mixed();
      }
      item.scale = cost > 0 ? query.weight / cost : 0;
      items_.push_back(item);
    }
  }

  std::unique_ptr<SplitScratch> MakeScratch() const override {
    return std::make_unique<WorkloadScratch>(problem_, median_);
  }

  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const override {
    auto& scratch = static_cast<WorkloadScratch&>(base);
    if (node.size() < 2 * problem_.checker.smallest_group()) return 0;
    Look(rows, node, scratch);
    double best = kLeastGain;
    bool found = false;
    for (uint32_t column = 0; column < problem_.num_quasi(); ++column) {
      if (!HasStakes(column, scratch)) continue;
      scratch.table.Count(problem_, rows, node, column, {});
      if (scratch.table.size() < 2) continue;
      FindStakes(rows, node, column, scratch);
      if (scratch.stakes.empty()) continue;
      std::vector<Code> left;
      const double gain = problem_.quasi(column).kind() == Kind::kCategorical ? BestSet(scratch, best, left)
                                                                              : BestCut(scratch, best, left);
      if (left.empty()) continue;
      best = gain;
      found = true;
      scratch.column = column;
      Assign(rows, node, column, left, scratch.child);
    }
    if (found) return 2;
    const uint32_t children = median_.Choose(rows, node, *scratch.median);
    if (children > 0) std::swap(scratch.child, scratch.median->child);
    scratch.column = scratch.median->column;
    return children;
  }

 private:
  // Which positions meet all conditions of a query.
  static void Select(const NodeRows& rows, const Node& node, const BoundQuery& query, std::vector<uint8_t>& selected) {
    selected.assign(node.size(), 1);
    for (const BoundCondition& condition : query.where) {
      rows.rows.Visit(condition.column, node.begin, node.end, [&](auto codes) {
        for (size_t i = 0; i < codes.size(); ++i) selected[i] &= condition.inside[codes[i]];
      });
    }
  }

  // Whether the cell of a node meets a condition: an interval anywhere in it, a set by one of its values.
  bool Touches(const NodeRows& rows, const Node& node, const BoundCondition& condition) const {
    if (problem_.quasi(condition.column).is_numeric()) {
      const WorkingRows::Extent extent = rows.rows.FindExtent(condition.column, node.begin, node.end);
      return condition.Meets(extent.low, extent.high);
    }
    return rows.rows.Visit(condition.column, node.begin, node.end, [&](auto codes) {
      return std::any_of(codes.begin(), codes.end(), [&](auto code) { return condition.inside[code] != 0; });
    });
  }

  void Look(const NodeRows& rows, const Node& node, WorkloadScratch& scratch) const {
    scratch.selected.resize(items_.size());
    scratch.touched.assign(items_.size(), 0);
    for (size_t j = 0; j < items_.size(); ++j) {
      const BoundQuery& query = *items_[j].query;
      if (items_[j].label != nullptr) {
        Select(rows, node, query, scratch.selected[j]);
      } else {
        scratch.touched[j] = std::all_of(query.where.begin(), query.where.end(),
                                         [&](const auto& condition) { return Touches(rows, node, condition); });
      }
    }
  }

  bool HasStakes(uint32_t column, const WorkloadScratch& scratch) const {
    for (size_t j = 0; j < items_.size(); ++j) {
      const Item& item = items_[j];
      if (item.scale == 0 || !item.query->sees[column]) continue;
      if (item.label != nullptr || (scratch.touched[j] != 0 && item.query->On(column) != nullptr)) return true;
    }
    return false;
  }

  void FindStakes(const NodeRows& rows, const Node& node, uint32_t column, WorkloadScratch& scratch) const {
    scratch.stakes.clear();
    for (size_t j = 0; j < items_.size(); ++j) {
      const Item& item = items_[j];
      if (item.scale == 0 || !item.query->sees[column]) continue;
      Stake stake;
      stake.item = &item;
      if (item.label == nullptr) {
        stake.condition = item.query->On(column);
        if (scratch.touched[j] == 0 || stake.condition == nullptr) continue;
      } else {
        stake.values.assign(scratch.table.size(), EmptyTally(*item.label));
        rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
          rows.rows.Visit(item.label->column, node.begin, node.end, [&](auto values) {
            for (size_t i = 0; i < codes.size(); ++i) {
              if (scratch.selected[j][i] != 0) stake.values[scratch.table.Find(codes[i])].Add(*item.label, values[i]);
            }
          });
        });
      }
      scratch.stakes.push_back(std::move(stake));
    }
  }

  // All values to the right.
  static void Restart(WorkloadScratch& scratch) {
    scratch.sides.Start(scratch.table);
    for (Stake& stake : scratch.stakes) {
      stake.left_inside = stake.right_inside = 0;
      if (stake.condition != nullptr) {
        for (size_t v = 0; v < scratch.table.size(); ++v)
          stake.right_inside += stake.condition->inside[scratch.table.code(v)];
        continue;
      }
      stake.left = stake.right = EmptyTally(*stake.item->label);
      for (const LabelTally& value : stake.values) {
        LabelTally copy = value;
        copy.Move(value, stake.right);
      }
    }
  }

  static void MoveLeft(WorkloadScratch& scratch, size_t v) {
    scratch.sides.MoveLeft(scratch.table, v);
    for (Stake& stake : scratch.stakes) {
      if (stake.condition != nullptr) {
        const uint8_t inside = stake.condition->inside[scratch.table.code(v)];
        stake.left_inside += inside, stake.right_inside -= inside;
      } else {
        stake.right.Move(stake.values[v], stake.left);
      }
    }
  }

  // What the queries pay for the sides as they are. Of a cut, the first value on the right is number `split`; 0: a set.
  static double Cost(const WorkloadScratch& scratch, size_t split) {
    double cost = 0;
    for (const Stake& stake : scratch.stakes) {
      double own = 0;
      if (stake.condition == nullptr) {
        own = stake.left.Mixed() + stake.right.Mixed();
      } else {
        const ValueTable& table = scratch.table;
        const bool left =
            split > 0 ? stake.condition->Meets(table.code(0), table.code(split - 1)) : stake.left_inside > 0;
        const bool right = split > 0 ? stake.condition->Meets(table.code(split), table.code(table.size() - 1))
                                     : stake.right_inside > 0;
        own = (left ? static_cast<double>(scratch.sides.left_rows()) : 0) +
              (right ? static_cast<double>(scratch.sides.right_rows()) : 0);
      }
      cost += stake.item->scale * own;
    }
    return cost;
  }

  // What they pay for the node as it is.
  static double CostBefore(WorkloadScratch& scratch) {
    Restart(scratch);
    double cost = 0;
    for (const Stake& stake : scratch.stakes) {
      cost += stake.item->scale *
              (stake.condition == nullptr ? stake.right.Mixed() : static_cast<double>(scratch.sides.right_rows()));
    }
    return cost;
  }

  // The cut of largest gain above `least`: the codes that go left, none if there is none.
  static double BestCut(WorkloadScratch& scratch, double least, std::vector<Code>& left) {
    const double before = CostBefore(scratch);
    double best = least;
    size_t length = 0;
    for (size_t v = 0; v + 1 < scratch.table.size(); ++v) {
      MoveLeft(scratch, v);
      if (!scratch.sides.LargeEnough()) continue;
      const double gain = before - Cost(scratch, v + 1);
      if (gain <= best || !scratch.sides.Holds()) continue;
      best = gain;
      length = v + 1;
    }
    for (size_t v = 0; v < length; ++v) left.push_back(scratch.table.code(v));
    return best;
  }

  // The same over sets of values: prefixes in their order, single values, and what each query asks for.
  static double BestSet(WorkloadScratch& scratch, double least, std::vector<Code>& left) {
    const ValueTable& table = scratch.table;
    const double before = CostBefore(scratch);
    double best = least;
    std::vector<size_t> moved;
    const auto offer = [&] {
      if (!scratch.sides.LargeEnough()) return;
      const double gain = before - Cost(scratch, 0);
      if (gain <= best || !scratch.sides.Holds()) return;
      best = gain;
      left.clear();
      for (const size_t v : moved) left.push_back(table.code(v));
    };
    for (size_t v = 0; v + 1 < table.size(); ++v) {
      MoveLeft(scratch, v);
      moved.push_back(v);
      offer();
    }
    const auto offer_set = [&](const auto& in_set) {
      Restart(scratch);
      moved.clear();
      for (size_t v = 0; v < table.size(); ++v) {
        if (!in_set(v)) continue;
        MoveLeft(scratch, v);
        moved.push_back(v);
      }
      if (!moved.empty() && moved.size() < table.size()) offer();
    };
    for (size_t only = 0; only < table.size(); ++only) offer_set([&](size_t v) { return v == only; });
    for (size_t s = 0; s < scratch.stakes.size(); ++s) {
      const BoundCondition* const condition = scratch.stakes[s].condition;
      if (condition != nullptr) offer_set([&](size_t v) { return condition->inside[table.code(v)] != 0; });
    }
    return best;
  }

  static void Assign(const NodeRows& rows, const Node& node, uint32_t column, const std::vector<Code>& left,
                     std::vector<uint16_t>& child) {
    child.resize(node.size());
    rows.rows.Visit(column, node.begin, node.end, [&](auto codes) {
      for (size_t i = 0; i < codes.size(); ++i)
        child[i] = std::binary_search(left.begin(), left.end(), Code{codes[i]}) ? 0 : 1;
    });
  }

  const Problem& problem_;
  std::vector<LabelView> labels_;
  MedianChooser median_;
  std::vector<Item> items_;
};

class WorkloadStage final : public Stage {
 public:
  WorkloadStage(std::vector<Query> queries, bool with_labels, MondrianOptions median)
      : queries_(std::move(queries)), with_labels_(with_labels), median_(median) {}
  std::string_view name() const override { return "workload"; }
  std::string About(const Problem& problem) const override {
    return fmt::format(
        "Mondrian cuts a group, again and again, so that the queries of the workload{} are answered most exactly, and "
        "at the median of the widest quasi-identifier where no query gains; {}{}",
        with_labels_ ? " and predictions of the label" : "", kCutsThatAreNotMade, MedianWords(problem, median_));
  }

  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    TADA_TRY(asked, BindQueries(problem, queries_));
    std::vector<BoundQuery> all = asked;
    for (size_t t = 0; with_labels_ && t < problem.roles.label.size(); ++t) {
      BoundQuery query;
      query.name = problem.table.column(problem.roles.label[t]).name();
      query.target = t;
      query.sees.assign(problem.num_quasi(), true);
      query.weight = problem.label_weights[t];
      all.push_back(std::move(query));
    }
    NodeRows rows(problem, groups);
    const WorkloadChooser chooser(problem, rows, all, median_);
    Groups made = SplitAll(problem, groups, chooser, name(), std::move(rows));
    TADA_TRY(plain, MakeMondrianStage(median_)->Refine(problem, std::move(groups)));
    problem.notes.sections.push_back(
        ExplainWorkload(asked, AnswerQueries(problem, made, asked), AnswerQueries(problem, plain, asked), problem));
    return made;
  }

 private:
  std::vector<Query> queries_;
  bool with_labels_;
  MondrianOptions median_;
};

}  // namespace

std::unique_ptr<Stage> MakeWorkloadStage(std::vector<Query> queries, bool with_labels, MondrianOptions median) {
  return std::make_unique<WorkloadStage>(std::move(queries), with_labels, median);
}

OptionSpec WorkloadOptionSpec() {
  return {.name = "workload",
          .type = OptionType::kText,
          .value_name = "queries.toml",
          .section = "Mondrian",
          .help = "Cut where the queries in this file are answered best, and report how well they are."};
}

}  // namespace tada
