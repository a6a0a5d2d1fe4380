#include "partition/mondrian/gain_mondrian.h"

#include <algorithm>
#include <cmath>

#include "learn/features/entropy.h"
#include "partition/engine/sample_grow.h"
#include "partition/engine/splits/admissible.h"
#include "partition/engine/splits/label_split.h"
#include "partition/engine/splits/node_tables.h"
#include "partition/engine/splits/taxonomy_split.h"
#include "partition/mondrian/workload_mondrian.h"

namespace tada {
namespace {

struct GainScratch final : SplitScratch {
  GainScratch(const Problem& problem, std::span<const LabelView> labels, const MedianChooser& fallback)
      : search(problem, labels), tables(problem, labels), admissible(problem), median(fallback.MakeScratch()) {}

  LabelSplitSearch search;
  NodeTables tables;
  Admissible admissible;
  std::unique_ptr<SplitScratch> median;
  std::vector<uint16_t> by_taxonomy;  // a candidate's children
};

// How mixed one label is inside the children, summed: rows * entropy, or squared deviations. `child` is of the table's
// values; empty: they are all in one.
double Mixed(const ValueTable& table, const LabelView& label, size_t t, std::span<const uint16_t> child,
             uint32_t num_children) {
  const auto child_of = [&](size_t v) { return child.empty() ? size_t{0} : child[v]; };
  double mixed = 0;
  if (label.numeric()) {
    std::vector<LabelSums> sums(num_children);
    for (size_t v = 0; v < table.size(); ++v) sums[child_of(v)].Add(table.sums(t)[v]);
    for (const LabelSums& of_child : sums) mixed += of_child.Deviations();
    return label.scale * mixed;
  }
  std::vector<uint64_t> counts(size_t{num_children} * label.num_values, 0), sizes(num_children, 0);
  for (size_t v = 0; v < table.size(); ++v) {
    sizes[child_of(v)] += table.rows(v);
    table.ForEachClass(label, t, v, [&](Code c, uint32_t rows) { counts[child_of(v) * label.num_values + c] += rows; });
  }
  for (const uint64_t size : sizes) mixed += XLog2X(size);
  for (const uint64_t count : counts) mixed -= XLog2X(count);
  return label.scale * mixed;
}

// The gain of a split that is given by its children; for columns with a hierarchy, whose splits are few.
double GainOfChildren(const ValueTable& table, std::span<const LabelView> labels, std::span<const uint16_t> child,
                      uint32_t num_children) {
  double gain = 0;
  uint64_t rows = 0;
  for (size_t v = 0; v < table.size(); ++v) rows += table.rows(v);
  for (size_t t = 0; t < labels.size(); ++t) {
    gain += Mixed(table, labels[t], t, {}, 1) - Mixed(table, labels[t], t, child, num_children);
  }
  return gain / static_cast<double>(rows);
}

class GainStage final : public SpreadStage {
 public:
  GainStage(std::string_view name, GainOptions options) : name_(name), options_(options) {}
  std::string_view name() const override { return name_; }
  std::string About(const Problem& problem) const override {
    return fmt::format(
        "Mondrian cuts a group, again and again, where the label {} inside the parts, and at the median of the widest "
        "quasi-identifier where the label says nothing; {}{}{}",
        problem.task == Task::kRegression ? "varies least" : "becomes least mixed (information gain)",
        kCutsThatAreNotMade,
        options_.boundary_only ? " Ordered columns are cut where the class changes, or else at their median." : "",
        MedianWords(problem, options_.median));
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    return RefinePart(problem, std::move(groups), {});
  }
  Result<Groups> RefinePart(const Problem& problem, Groups groups, const WholeCounts& whole) const override {
    if (problem.options.Flag("sample-grow")) {
      groups = GrowOnSample(problem, groups, [&](const Problem& sampled, const NodeRows& drawn) {
        return std::make_unique<GainChooser>(sampled, drawn, options_);
      });
    }
    NodeRows rows(problem, groups);
    const GainChooser chooser(problem, rows, options_, whole.labels);
    return SplitAll(problem, groups, chooser, name_, std::move(rows));
  }
  std::unique_ptr<const TableChooser> SpreadChooser(const Problem& problem, const WholeCounts& whole) const override {
    if (!options_.median.strict || problem.options.Flag("sample-grow")) return nullptr;  // positions decide
    return std::make_unique<const GainChooser>(problem, NodeRows(problem, Groups()), options_, whole.labels);
  }

 private:
  std::string_view name_;
  GainOptions options_;
};

}  // namespace

GainChooser::GainChooser(const Problem& problem, const NodeRows& rows, GainOptions options, const LabelCounts& counts)
    : problem_(problem),
      options_(options),
      labels_(LabelViews(problem, rows, counts)),
      median_(problem, options.median) {}

std::unique_ptr<SplitScratch> GainChooser::MakeScratch() const {
  return std::make_unique<GainScratch>(problem_, labels_, median_);
}

uint32_t GainChooser::Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  auto& scratch = static_cast<GainScratch&>(base);
  scratch.tables.Forget();
  if (node.size() < 2 * problem_.checker.smallest_group()) return 0;
  const auto fall_back = [&] {
    const uint32_t children = median_.Choose(rows, node, *scratch.median);
    if (children > 0) std::swap(scratch.child, scratch.median->child);
    scratch.column = scratch.median->column;
    return children;
  };
  const auto pure = [&](const LabelView& label) {
    const WorkingRows::Extent extent = rows.rows.FindExtent(label.column, node.begin, node.end);
    return extent.low == extent.high;
  };
  if (std::all_of(labels_.begin(), labels_.end(), pure)) return fall_back();

  scratch.tables.Count(rows, node);
  const NodeSplit best = BestByLabels(scratch.tables.all(), scratch);
  if (best.num_children == 0) return fall_back();
  scratch.column = best.column;
  return AssignChildren(rows, node, best, scratch.child);
}

NodeSplit GainChooser::BestByLabels(std::span<const ValueTable> tables, SplitScratch& base) const {
  auto& scratch = static_cast<GainScratch&>(base);
  NodeSplit best;
  double best_gain = kLeastLabelGain;  // ties to the first column
  for (uint32_t i = 0; i < problem_.num_quasi(); ++i) {
    const ValueTable& table = tables[i];
    if (table.size() < 2) continue;
    if (problem_.hierarchy(i) != nullptr) {
      const uint32_t children = CutAtTaxonomy(problem_, i, table, scratch.admissible, scratch.by_taxonomy);
      if (children == 0) continue;
      const double gain = problem_.importance(i) * GainOfChildren(table, labels_, scratch.by_taxonomy, children);
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = {i, children, 0, {table.codes().begin(), table.codes().end()}, scratch.by_taxonomy};
      continue;
    }
    const bool ordered = problem_.quasi(i).kind() != Kind::kCategorical;
    std::optional<LabelSplit> split =
        ordered ? scratch.search.BestCut(table, i, options_.boundary_only) : scratch.search.BestSubset(table, i);
    if (ordered && options_.boundary_only && !split) split = scratch.search.MedianCut(table, i);
    if (split) split->gain *= problem_.importance(i);
    if (!split || split->gain <= best_gain) continue;
    best_gain = split->gain;
    best = ByValues(*split, table);
  }
  return best;
}

NodeSplit GainChooser::Decide(std::span<const ValueTable> tables, SplitScratch& base) const {
  NodeSplit best = BestByLabels(tables, base);
  return best.num_children > 0 ? best : median_.Decide(tables, *static_cast<GainScratch&>(base).median);
}

void GainChooser::OnSplit(const NodeRows& rows, const Node& /*node*/, SplitScratch& base,
                          std::span<Node> children) const {
  static_cast<GainScratch&>(base).tables.Hand(rows, children);
}

namespace {

// One stage: by labels alone, or by them and the queries of a workload.
Result<std::vector<std::unique_ptr<Stage>>> MakeStages(std::string_view name, const OptionValues& values) {
  const GainOptions options{values.Flag("boundary-only"), MondrianOptionsFrom(values)};
  std::vector<std::unique_ptr<Stage>> stages;
  if (const std::string path = values.Text("workload"); !path.empty()) {
    TADA_TRY(queries, ReadWorkload(path));
    stages.push_back(MakeWorkloadStage(std::move(queries), true, options.median));
  } else {
    stages.push_back(std::make_unique<GainStage>(name, options));
  }
  return stages;
}

}  // namespace

MethodEntry InfoGainMethod() {
  std::vector<OptionSpec> options = {
      {.name = "boundary-only",
       .type = OptionType::kFlag,
       .section = "Mondrian",
       .help = "Cut an ordered column only where the class changes, as the paper does; faster, and often worse."}};
  for (OptionSpec& spec : MondrianOptionSpecs()) options.push_back(std::move(spec));
  options.push_back(WorkloadOptionSpec());
  options.push_back(SampleGrowOptionSpec());
  return {.name = "infogain",
          .maturity = Maturity::kStable,
          .summary = "Mondrian that cuts where the label becomes least mixed: least weighted entropy.",
          .page = "docs/algorithms/infogain.md",
          .tasks = {Task::kClassification},
          .options = std::move(options),
          .make = [](const MethodContext& context) { return MakeStages("infogain", context.options); },
          .row_order = &MondrianRowOrder,
          .has_boxes = &MondrianHasBoxes};
}

MethodEntry RegressionMethod() {
  std::vector<OptionSpec> options = MondrianOptionSpecs();
  options.push_back(WorkloadOptionSpec());
  options.push_back(SampleGrowOptionSpec());
  return {.name = "regression",
          .maturity = Maturity::kStable,
          .summary = "Mondrian that cuts where a numeric label varies least: least squared deviation.",
          .page = "docs/algorithms/regression.md",
          .tasks = {Task::kRegression},
          .options = std::move(options),
          .make = [](const MethodContext& context) { return MakeStages("regression", context.options); },
          .row_order = &MondrianRowOrder,
          .has_boxes = &MondrianHasBoxes};
}

}  // namespace tada
