#include "partition/mondrian/mondrian.h"

#include <algorithm>
#include <numeric>

#include "base/option_mark.h"
#include "partition/engine/equal_rows.h"
#include "partition/engine/loss_model.h"
#include "partition/engine/sample_grow.h"
#include "partition/mondrian/median_rows.h"
#include "partition/mondrian/median_tables.h"
#include "partition/mondrian/stratified.h"
#include "partition/mondrian/workload_mondrian.h"

namespace tada {
namespace {

constexpr size_t kStratifiedRows = 100'000;  // more are only cut at medians: five ways to cut them take too long

struct MedianScratch final : SplitScratch {
  explicit MedianScratch(const Problem& problem) : rows(problem) {}

  MedianRowsScratch rows;
  std::vector<Axis> axes;
  std::vector<Code> by_count;     // codes by descending count
  std::vector<uint16_t> side_of;  // by code - low
};

// Sides for the values of a categorical column, heaviest value first: kFrequency fills the left side up to half of the
// rows, kBalanced gives each value to the lighter side, ties to the left.
void DealValues(std::span<const uint32_t> counts, uint64_t rows, MondrianOptions::Categorical mode,
                MedianScratch& scratch) {
  scratch.by_count.clear();
  for (Code value = 0; value < counts.size(); ++value) {
    if (counts[value] > 0) scratch.by_count.push_back(value);
  }
  std::sort(scratch.by_count.begin(), scratch.by_count.end(),
            [&](Code a, Code b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  scratch.side_of.assign(counts.size(), 1);
  uint64_t left = 0, right = 0;
  for (const Code value : scratch.by_count) {
    const uint64_t count = counts[value];
    const bool goes_left =
        mode == MondrianOptions::Categorical::kBalanced ? left <= right : left == 0 || 2 * (left + count) <= rows;
    scratch.side_of[value] = goes_left ? 0 : 1;
    (goes_left ? left : right) += count;
  }
}

// The columns of a node that can be cut, widest first.
void FindAxes(const Problem& problem, MedianView& view, std::vector<Axis>& axes) {
  axes.clear();
  for (uint32_t i = 0; i < problem.num_quasi(); ++i) {
    Axis axis = view.FindAxis(i);
    if (axis.low == axis.high) continue;
    axis.span = problem.hierarchy(i) != nullptr ? problem.importance(i) * view.SpanByHierarchy(i)
                                                : NormalizedSpan(problem, i, axis.low, axis.high);
    axes.push_back(axis);
  }
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.span > b.span; });
}

// Takes the cut of a column without a hierarchy, if there is one.
bool TakeMedian(const Problem& problem, const MondrianOptions& options, const Axis& axis, MedianView& view,
                MedianScratch& scratch) {
  if (options.categorical != MondrianOptions::Categorical::kOrdered &&
      problem.quasi(axis.column).kind() == Kind::kCategorical) {
    DealValues(view.CountCodes(axis), view.num_rows(), options.categorical, scratch);
    return view.TakeSides(axis, scratch.side_of);
  }
  const Middle middle = view.FindMiddle(axis);
  if (!options.strict && view.TakeRelaxed(axis, middle.upper)) return true;
  // `< median` first, then `<= median`; one and the same cut when the two middle values differ.
  if (view.TakeCut(axis, middle.upper)) return true;
  return middle.lower == middle.upper && view.TakeCut(axis, middle.upper + 1);
}

// The split of a node: of its widest column that can be cut. Returns the number of children.
uint32_t ChooseMedian(const Problem& problem, const MondrianOptions& options, MedianView& view,
                      MedianScratch& scratch) {
  if (view.num_rows() < 2 * SmallestSide(problem)) return 0;
  FindAxes(problem, view, scratch.axes);
  for (const Axis& axis : scratch.axes) {
    scratch.column = axis.column;
    if (problem.hierarchy(axis.column) != nullptr) {
      if (const uint32_t children = view.TakeHierarchy(axis.column); children > 0) return children;
    } else if (TakeMedian(problem, options, axis, view, scratch)) {
      return 2;
    }
  }
  return 0;
}

class MondrianStage final : public SpreadStage {
 public:
  explicit MondrianStage(MondrianOptions options) : options_(options) {}
  std::string_view name() const override { return "mondrian"; }
  std::string About(const Problem& problem) const override {
    if (IsStratified(problem, problem.table.num_rows()))
      return fmt::format("{}{}", kStratifiedWords, kCutsThatAreNotMade);
    return fmt::format(
        "Mondrian cuts a group in two, again and again, at the median of the quasi-identifier along which it is "
        "widest; {}{}",
        kCutsThatAreNotMade, MedianWords(problem, options_));
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    // Cells of stratified cuts may overlap: they are no boxes.
    if (groups.has_boxes() || !IsStratified(problem, groups.num_rows())) return Cut(problem, std::move(groups));
    Groups stratified = SplitStratified(problem, groups, name());
    Groups cut = Cut(problem, std::move(groups));
    const LossModel loss(problem);
    return loss.Ncp(cut, problem.workers) <= loss.Ncp(stratified, problem.workers) ? cut : stratified;
  }
  Result<Groups> RefinePart(const Problem& problem, Groups groups, const WholeCounts&) const override {
    return Cut(problem, std::move(groups));
  }
  std::unique_ptr<const TableChooser> SpreadChooser(const Problem& problem, const WholeCounts& whole) const override {
    const bool by_position =
        !options_.strict || problem.options.Flag("sample-grow") || IsStratified(problem, whole.rows);
    return by_position ? nullptr : std::make_unique<const MedianChooser>(problem, options_);
  }

 private:
  bool IsStratified(const Problem& problem, size_t num_rows) const {
    return options_.stratify && ComparesDistributions(problem.checker.requirement()) &&
           problem.checker.needs_values() && problem.hierarchies.empty() && num_rows < kStratifiedRows;
  }

  Groups Cut(const Problem& problem, Groups groups) const {
    if (problem.options.Flag("sample-grow")) {
      groups = GrowOnSample(problem, groups, [&](const Problem& sampled, const NodeRows&) {
        return std::make_unique<MedianChooser>(sampled, options_);
      });
    }
    const MedianChooser chooser(problem, options_);
    // Relaxed cuts deal equal rows to both sides, so there equal rows must stay apart.
    if (options_.strict && EqualRows::Pay(problem, groups)) {
      const EqualRows equal(problem, groups);
      NodeRows rows(problem, equal.representatives());
      rows.rows.SetWeights(equal.weights());
      return equal.Expand(SplitAll(problem, equal.representatives(), chooser, name(), std::move(rows)));
    }
    NodeRows rows(problem, groups.TakeOrder());  // of many rows a copy takes long
    return SplitAll(problem, groups, chooser, name(), std::move(rows));
  }

  MondrianOptions options_;
};

}  // namespace

std::string MedianWords(const Problem& problem, const MondrianOptions& options) {
  bool names = false, hierarchies = false;
  for (size_t i = 0; i < problem.num_quasi(); ++i) {
    hierarchies |= problem.hierarchy(i) != nullptr;
    names |= problem.hierarchy(i) == nullptr && problem.quasi(i).kind() == Kind::kCategorical;
  }
  std::string words;
  if (!options.strict) words += " People equal to the median may be dealt to both sides.";
  if (names && options.categorical == MondrianOptions::Categorical::kFrequency) {
    words += " Names are cut by frequency: the commonest go to one side, until it has half of the people.";
  }
  if (names && options.categorical == MondrianOptions::Categorical::kBalanced) {
    words += " Names are dealt to the two sides, the commonest first, each to the side with fewer people.";
  }
  if (hierarchies) words += " A column with a hierarchy is cut into the branches of the hierarchy.";
  if (problem.options.Flag("sample-grow")) {
    words += " The first cuts of a large group are found on a sample and verified on all of its people.";
  }
  return words;
}

std::unique_ptr<SplitScratch> MedianChooser::MakeScratch() const { return std::make_unique<MedianScratch>(problem_); }

uint32_t MedianChooser::Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  auto& scratch = static_cast<MedianScratch&>(base);
  MedianRows view(problem_, rows, node, scratch.rows, scratch.child);
  return ChooseMedian(problem_, options_, view, scratch);
}

NodeSplit MedianChooser::Decide(std::span<const ValueTable> tables, SplitScratch& base) const {
  auto& scratch = static_cast<MedianScratch&>(base);
  MedianTables view(problem_, tables, scratch.rows.admissible);
  ChooseMedian(problem_, options_, view, scratch);
  return std::move(view).split();
}

std::unique_ptr<Stage> MakeMondrianStage(MondrianOptions options) { return std::make_unique<MondrianStage>(options); }

std::vector<OptionSpec> MondrianOptionSpecs() {
  return {
      {.name = "relaxed",
       .type = OptionType::kFlag,
       .section = "Mondrian",
       .help = "Deal rows equal to the median to both sides; smaller groups where columns have few values."},
      {.name = "categorical",
       .type = OptionType::kChoice,
       .value_name = "mode",
       .default_text = "ordered",
       .choices = {"ordered", "frequency", "balanced"},
       .section = "Mondrian",
       .help = "Cut categorical columns along the order of their values, by frequency, or into balanced sides."},
  };
}

MondrianOptions MondrianOptionsFrom(const OptionValues& values) {
  MondrianOptions options;
  options.strict = !values.Flag("relaxed");
  const std::string mode = values.Text("categorical");
  if (mode == "frequency") options.categorical = MondrianOptions::Categorical::kFrequency;
  if (mode == "balanced") options.categorical = MondrianOptions::Categorical::kBalanced;
  return options;
}

RowOrder MondrianRowOrder(const MethodContext& context) {
  const bool stratified = context.compares_distributions && context.options.Text("stratify") != "never";
  const bool by_position = context.options.Flag("relaxed") || context.options.Flag("sample-grow") || stratified;
  return by_position ? RowOrder::kCanonical : RowOrder::kIgnored;
}

bool MondrianHasBoxes(const MethodContext& context) {
  return !context.options.Flag("relaxed") && !context.options.Flag("sample-grow");
}

MethodEntry MondrianMethod() {
  std::vector<OptionSpec> options = MondrianOptionSpecs();
  options.push_back(StratifyOptionSpec());
  options.push_back(WorkloadOptionSpec());
  options.push_back(SampleGrowOptionSpec());
  return {.name = "mondrian",
          .maturity = Maturity::kStable,
          .summary = "Cuts the widest column of a group at its median, as long as both sides meet the requirement.",
          .page = "docs/algorithms/mondrian.md",
          .tasks = {},
          .options = std::move(options),
          .make = [](const MethodContext& context) -> Result<std::vector<std::unique_ptr<Stage>>> {
            std::vector<std::unique_ptr<Stage>> stages;
            if (const std::string path = context.options.Text("workload"); !path.empty()) {
              TADA_TRY(queries, ReadWorkload(path));
              stages.push_back(MakeWorkloadStage(std::move(queries), false, MondrianOptionsFrom(context.options)));
              return stages;
            }
            MondrianOptions chosen = MondrianOptionsFrom(context.options);
            if (context.options.Flag("stratify") && !context.compares_distributions) {
              return InvalidArgument(
                         TADA_OPTION("stratify") " keeps the distribution of sensitive values, which nothing asks for")
                  .WithHint("Ask for " TADA_OPTION("closeness") ", " TADA_OPTION("likeness") " or " TADA_OPTION(
                      "disclosure") ", or leave " TADA_OPTION("stratify") " out.");
            }
            chosen.stratify = context.options.Text("stratify") != "never";
            stages.push_back(MakeMondrianStage(chosen));
            return stages;
          },
          .row_order = &MondrianRowOrder,
          .has_boxes = &MondrianHasBoxes,
          .by_quasi_alone = [](const MethodContext& context) { return context.options.Text("workload").empty(); }};
}

}  // namespace tada
