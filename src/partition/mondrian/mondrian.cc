#include "partition/mondrian/mondrian.h"

#include <algorithm>
#include <numeric>

#include "base/fault.h"
#include "partition/engine/equal_rows.h"
#include "partition/engine/loss_model.h"
#include "partition/engine/sample_grow.h"
#include "partition/engine/splits/admissible.h"
#include "partition/engine/splits/taxonomy_split.h"
#include "partition/mondrian/stratified.h"
#include "partition/mondrian/workload_mondrian.h"

namespace tada {
namespace {

constexpr size_t kStratifiedRows = 100'000;  // more are only cut at medians: five ways to cut them take too long

// One column of a node: how wide it is, and where its codes lie.
struct Axis {
  double span = 0;
  uint32_t column = 0;
  Code low = 0, high = 0;
};

struct MedianScratch final : SplitScratch {
  explicit MedianScratch(const Problem& problem) : admissible(problem) {}

  Admissible admissible;
  std::vector<Axis> axes;
  std::vector<uint32_t> counts;  // by code - low
  std::vector<Code> codes;       // a copy to select the median from
  std::vector<std::pair<Code, uint32_t>> weighted;
  std::vector<Code> by_count;     // codes by descending count
  std::vector<uint16_t> side_of;  // by code - low
};

// The two middle codes of a node (equal when their number is odd), by counting if the codes are dense, else by selection.
struct Middle {
  Code lower, upper;
};

// Positions may stand for several equal rows: `weight(i)` says for how many. All sizes and ranks are of rows.
template <class T, class Weight>
Middle FindMiddle(std::span<const T> codes, const Weight& weight, uint64_t rows, const Axis& axis,
                  MedianScratch& scratch) {
  const uint64_t lower_rank = (rows - 1) / 2, upper_rank = rows / 2;
  const size_t width = axis.high - axis.low + 1;
  if (width <= 2 * codes.size() + 16) {
    scratch.counts.assign(width, 0);
    for (size_t i = 0; i < codes.size(); ++i) scratch.counts[codes[i] - axis.low] += weight(i);
    uint64_t seen = 0;
    size_t at = 0;
    while (seen + scratch.counts[at] <= lower_rank) seen += scratch.counts[at++];
    const auto lower = static_cast<Code>(axis.low + at);
    while (seen + scratch.counts[at] <= upper_rank) seen += scratch.counts[at++];
    return {lower, static_cast<Code>(axis.low + at)};
  }
  if (rows == codes.size()) {  // one row per position
    scratch.codes.assign(codes.begin(), codes.end());
    const auto middle = scratch.codes.begin() + static_cast<ptrdiff_t>(upper_rank);
    std::nth_element(scratch.codes.begin(), middle, scratch.codes.end());
    const Code upper = *middle;
    return {lower_rank == upper_rank ? upper : *std::max_element(scratch.codes.begin(), middle), upper};
  }
  scratch.weighted.clear();
  for (size_t i = 0; i < codes.size(); ++i) scratch.weighted.emplace_back(codes[i], weight(i));
  std::sort(scratch.weighted.begin(), scratch.weighted.end());
  uint64_t seen = 0;
  size_t at = 0;
  while (seen + scratch.weighted[at].second <= lower_rank) seen += scratch.weighted[at++].second;
  const Code lower = scratch.weighted[at].first;
  while (seen + scratch.weighted[at].second <= upper_rank) seen += scratch.weighted[at++].second;
  return {lower, scratch.weighted[at].first};
}

// Sends codes below `cut` left, the others right; false if a side would be too small.
template <class T, class Weight>
bool CutAt(std::span<const T> codes, const Weight& weight, uint64_t rows, Code cut, uint64_t smallest,
           std::vector<uint16_t>& child) {
  child.resize(codes.size());
  uint64_t right = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    const uint16_t side = codes[i] >= cut ? 1 : 0;
    child[i] = side;
    right += side * weight(i);
  }
  return right >= smallest && rows - right >= smallest;
}

// Deals the rows equal to `middle` so that the sides come as near to equal as they can: first ones left.
// Pre: every position is one row.
template <class T>
bool CutRelaxed(std::span<const T> codes, Code middle, uint64_t smallest, std::vector<uint16_t>& child) {
  child.resize(codes.size());
  const auto below =
      static_cast<size_t>(std::count_if(codes.begin(), codes.end(), [&](T code) { return code < middle; }));
  size_t deal_left = codes.size() / 2 > below ? codes.size() / 2 - below : 0;
  size_t right = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    uint16_t side = codes[i] > middle ? 1 : 0;
    if (codes[i] == middle) {
      side = deal_left > 0 ? 0 : 1;
      if (deal_left > 0) --deal_left;
    }
    child[i] = side;
    right += side;
  }
  return right >= smallest && codes.size() - right >= smallest;
}

// Sides for the values of a categorical column, heaviest value first: kFrequency fills the left side up to half of the
// rows, kBalanced gives each value to the lighter side, ties to the left.
template <class T, class Weight>
bool CutValues(std::span<const T> codes, const Weight& weight, uint64_t rows, const Axis& axis,
               MondrianOptions::Categorical mode, uint64_t smallest, MedianScratch& scratch) {
  const size_t width = axis.high - axis.low + 1;
  scratch.counts.assign(width, 0);
  for (size_t i = 0; i < codes.size(); ++i) scratch.counts[codes[i] - axis.low] += weight(i);
  scratch.by_count.clear();
  for (Code value = 0; value < width; ++value) {
    if (scratch.counts[value] > 0) scratch.by_count.push_back(value);
  }
  std::sort(scratch.by_count.begin(), scratch.by_count.end(), [&](Code a, Code b) {
    return scratch.counts[a] != scratch.counts[b] ? scratch.counts[a] > scratch.counts[b] : a < b;
  });
  scratch.side_of.assign(width, 1);
  uint64_t left = 0, right = 0;
  for (const Code value : scratch.by_count) {
    const uint64_t count = scratch.counts[value];
    const bool goes_left =
        mode == MondrianOptions::Categorical::kBalanced ? left <= right : left == 0 || 2 * (left + count) <= rows;
    scratch.side_of[value] = goes_left ? 0 : 1;
    (goes_left ? left : right) += count;
  }
  if (left < smallest || right < smallest) return false;
  scratch.child.resize(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) scratch.child[i] = scratch.side_of[codes[i] - axis.low];
  return true;
}

class MondrianStage final : public Stage {
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

 private:
  bool IsStratified(const Problem& problem, size_t num_rows) const {
    return options_.stratify && ComparesDistributions(problem.checker.requirement()) && problem.hierarchies.empty() &&
           num_rows < kStratifiedRows;
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
    return SplitAll(problem, groups, chooser, name());
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
  const uint64_t smallest = TADA_FAULT("split-rows") ? 1 : problem_.checker.smallest_group();
  const uint64_t num_rows = rows.rows.NumRows(node.begin, node.end);
  if (num_rows < 2 * smallest) return 0;
  const std::span<const uint32_t> weights = rows.rows.Weights(node.begin, node.end);
  auto& scratch = static_cast<MedianScratch&>(base);
  scratch.axes.clear();
  for (uint32_t i = 0; i < problem_.num_quasi(); ++i) {
    const WorkingRows::Extent extent = rows.rows.FindExtent(i, node.begin, node.end);
    if (extent.low == extent.high) continue;
    const double span = problem_.hierarchy(i) != nullptr
                            ? problem_.importance(i) * TaxonomySpan(problem_, i, rows, node)
                            : NormalizedSpan(problem_, i, extent.low, extent.high);
    scratch.axes.push_back({span, i, extent.low, extent.high});
  }
  std::stable_sort(scratch.axes.begin(), scratch.axes.end(),
                   [](const Axis& a, const Axis& b) { return a.span > b.span; });

  for (size_t a = 0; a < scratch.axes.size(); ++a) {
    const Axis axis = scratch.axes[a];
    scratch.column = axis.column;
    if (problem_.hierarchy(axis.column) != nullptr) {
      const uint32_t children = CutAtTaxonomy(problem_, axis.column, rows, node, scratch.admissible, scratch.child);
      if (children > 0) return children;
      continue;
    }
    const bool by_values = options_.categorical != MondrianOptions::Categorical::kOrdered &&
                           problem_.quasi(axis.column).kind() == Kind::kCategorical;
    const auto cut = [&](auto codes, const auto& weight) {
      const auto admissible = [&] { return scratch.admissible.BothSides(rows, node, scratch.child); };
      if (by_values) {
        return CutValues(codes, weight, num_rows, axis, options_.categorical, smallest, scratch) && admissible();
      }
      const Middle middle = FindMiddle(codes, weight, num_rows, axis, scratch);
      if (!options_.strict && CutRelaxed(codes, middle.upper, smallest, scratch.child) && admissible()) return true;
      // `< median` first, then `<= median`; one and the same cut when the two middle values differ.
      if (CutAt(codes, weight, num_rows, middle.upper, smallest, scratch.child) && admissible()) return true;
      return middle.lower == middle.upper &&
             CutAt(codes, weight, num_rows, middle.upper + 1, smallest, scratch.child) && admissible();
    };
    const bool found = rows.rows.Visit(axis.column, node.begin, node.end, [&](auto codes) {
      return weights.empty() ? cut(codes, [](size_t) { return 1u; }) : cut(codes, [&](size_t i) { return weights[i]; });
    });
    if (found) return 2;
  }
  return 0;
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
              return InvalidArgument("--stratify keeps the distribution of sensitive values, which nothing asks for")
                  .WithHint("Ask for --closeness, --likeness or --disclosure, or leave --stratify out.");
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
