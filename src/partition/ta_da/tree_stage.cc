#include "partition/ta_da/tree_stage.h"

#include <algorithm>

#include "base/log2.h"
#include "base/option_mark.h"
#include "groups/box_tree.h"
#include "partition/engine/splits/node_tables.h"

namespace tada {
namespace {

constexpr double kLeastGain = 1e-9;   // C4.5 drops what gains no more
constexpr double kMeanMargin = 1e-3;  // and looks at ratios only among gains this close to the mean, or above

struct TreeScratch final : SplitScratch {
  TreeScratch(const Problem& problem, std::span<const LabelView> labels)
      : search(problem, labels), tables(problem, labels) {}

  LabelSplitSearch search;
  NodeTables tables;
  std::vector<LabelSplit> candidates;
  LabelSplit chosen;
};

// C4.5 Release 8: a numeric gain pays for the choice among its cuts.
double ReducedGain(const LabelSplit& split, uint64_t rows) {
  if (split.multiway) return split.gain;
  return split.gain - Log2(static_cast<double>(split.num_values - 1)) / static_cast<double>(rows);
}

// Among gains not much below the mean the best ratio; ties to the first column.
const LabelSplit* BestByRatio(const std::vector<LabelSplit>& candidates) {
  double mean = 0;
  for (const LabelSplit& split : candidates) mean += split.gain / static_cast<double>(candidates.size());
  const LabelSplit* best = nullptr;
  double best_ratio = 0;
  for (const LabelSplit& split : candidates) {
    if (split.gain < mean - kMeanMargin || split.split_info <= 0) continue;
    const double ratio = split.gain / split.split_info;
    if (best == nullptr || ratio > best_ratio) {
      best = &split;
      best_ratio = ratio;
    }
  }
  return best;
}

const LabelSplit* BestByGain(const std::vector<LabelSplit>& candidates) {
  const auto best = std::max_element(candidates.begin(), candidates.end(),
                                     [](const LabelSplit& a, const LabelSplit& b) { return a.gain < b.gain; });
  return best == candidates.end() ? nullptr : &*best;
}

// The boxes of spans that each take in whole groups; none if the groups have none.
std::vector<std::shared_ptr<const Box>> BoxesAround(const Groups& groups, const std::vector<Groups::Span>& spans) {
  std::vector<std::shared_ptr<const Box>> boxes;
  if (!groups.has_boxes()) return boxes;
  GroupId group = 0;
  for (const Groups::Span& span : spans) {
    const GroupId first = group;
    while (group < groups.num_groups() && groups.spans()[group].end <= span.end) ++group;
    const auto inside = std::span(groups.boxes()).subspan(first, group - first);
    boxes.push_back(IsRemembered(inside.front()) ? LowestCommonBox(inside)
                                                 : std::make_shared<const Box>(HullOfBoxes(inside)));
  }
  return boxes;
}

class TreeStage final : public SpreadStage {
 public:
  explicit TreeStage(TreeOptions options) : options_(options) {}
  std::string_view name() const override { return "tree"; }
  std::string About(const Problem& problem) const override {
    std::string words =
        "A decision tree separates people by what predicts the label, as long as every leaf still meets the "
        "requirement. ";
    if (options_.split == TreeOptions::Split::kMultiway) {
      words += "It splits by gain ratio as C4.5 does, names into one branch per value.";
    } else if (problem.task == Task::kRegression) {
      words += "Each split makes two parts inside which the label varies least.";
    } else {
      words += "Each split makes two parts inside which the label is least mixed (information gain).";
    }
    if (options_.prune > 0) words += fmt::format(" It was pruned with confidence {}.", options_.prune);
    return words;
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    return RefinePart(problem, std::move(groups), {});
  }
  Result<Groups> RefinePart(const Problem& problem, Groups groups, const WholeCounts& whole) const override {
    TreeRecord record(groups);
    Groups leaves;
    {
      NodeRows rows(problem, groups);
      const TreeChooser chooser(problem, rows, options_, &record, whole.labels);
      leaves = SplitAll(problem, groups, chooser, name(), std::move(rows));
    }
    record.Finish(problem, leaves);
    if (options_.prune > 0) {
      record.Prune(options_.prune);
      std::vector<Groups::Span> spans;
      for (const uint32_t leaf : record.Leaves())
        spans.push_back({record.nodes()[leaf].begin, record.nodes()[leaf].end});
      std::vector<std::shared_ptr<const Box>> boxes = BoxesAround(leaves, spans);
      leaves = Groups(std::vector<RowId>(leaves.order()), std::move(spans));
      leaves.set_boxes(std::move(boxes));
    }
    problem.notes.sections.push_back(ExplainTree(problem, record, leaves));
    return leaves;
  }
  std::unique_ptr<const TableChooser> SpreadChooser(const Problem& problem, const WholeCounts& whole) const override {
    if (options_.prune > 0) return nullptr;  // looks at the whole tree
    return std::make_unique<const TreeChooser>(problem, NodeRows(problem, Groups()), options_, nullptr, whole.labels);
  }

 private:
  TreeOptions options_;
};

}  // namespace

TreeChooser::TreeChooser(const Problem& problem, const NodeRows& rows, TreeOptions options, TreeRecord* record,
                         const LabelCounts& counts)
    : problem_(problem), options_(options), record_(record), labels_(LabelViews(problem, rows, counts)) {}

std::unique_ptr<SplitScratch> TreeChooser::MakeScratch() const {
  return std::make_unique<TreeScratch>(problem_, labels_);
}

uint32_t TreeChooser::Choose(const NodeRows& rows, const Node& node, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  scratch.tables.Forget();
  if (node.size() < 2 * problem_.checker.smallest_group()) return 0;
  const auto pure = [&](const LabelView& label) {
    const WorkingRows::Extent extent = rows.rows.FindExtent(label.column, node.begin, node.end);
    return extent.low == extent.high;
  };
  if (std::all_of(labels_.begin(), labels_.end(), pure)) return 0;

  scratch.tables.Count(rows, node);
  const NodeSplit split = Decide(scratch.tables.all(), scratch);
  return split.num_children == 0 ? 0 : AssignChildren(rows, node, split, scratch.child);
}

NodeSplit TreeChooser::Decide(std::span<const ValueTable> tables, SplitScratch& base) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  uint64_t rows = 0;
  for (size_t v = 0; v < tables[0].size(); ++v) rows += tables[0].rows(v);
  if (rows < 2 * problem_.checker.smallest_group()) return {};
  const bool multiway = options_.split == TreeOptions::Split::kMultiway;
  scratch.candidates.clear();
  for (uint32_t i = 0; i < problem_.num_quasi(); ++i) {
    const bool ordered = problem_.quasi(i).kind() != Kind::kCategorical;
    std::optional<LabelSplit> split = ordered    ? scratch.search.BestCut(tables[i], i)
                                      : multiway ? scratch.search.Multiway(tables[i], i)
                                                 : scratch.search.BestSubset(tables[i], i);
    if (!split) continue;
    if (multiway) split->gain = ReducedGain(*split, rows);
    split->gain *= problem_.importance(i);
    if (split->gain > kLeastGain) scratch.candidates.push_back(*std::move(split));
  }
  const LabelSplit* best = multiway ? BestByRatio(scratch.candidates) : BestByGain(scratch.candidates);
  if (best == nullptr) return {};
  scratch.chosen = *best;
  scratch.column = best->column;
  return ByValues(scratch.chosen, tables[scratch.chosen.column]);
}

void TreeChooser::OnSplit(const NodeRows& rows, const Node& node, SplitScratch& base, std::span<Node> children) const {
  auto& scratch = static_cast<TreeScratch&>(base);
  const ValueTable& table = scratch.tables.table(scratch.chosen.column);
  std::vector<Code> values;
  for (size_t v = 0; scratch.chosen.multiway && v < table.size(); ++v) values.push_back(table.code(v));
  const uint32_t first = record_->Split(node, scratch.chosen, std::move(values), children);
  for (uint32_t c = 0; c < children.size(); ++c) children[c].id = first + c;
  scratch.tables.Hand(rows, children);
}

std::unique_ptr<Stage> MakeTreeStage(TreeOptions options) { return std::make_unique<TreeStage>(options); }

std::vector<OptionSpec> TreeOptionSpecs() {
  return {
      {.name = "split",
       .type = OptionType::kChoice,
       .value_name = "kind",
       .default_text = "binary",
       .choices = {"binary", "multiway"},
       .section = "Tree",
       .help = "Split the tree in two by plain gain, or as C4.5 does, with one child per category."},
      {.name = "prune",
       .type = OptionType::kReal,
       .value_name = "confidence",
       .default_text = DefaultText(TreeOptions{}.prune),
       .minimum = 0,
       .maximum = 0.5,
       .section = "Tree",
       .help = "Prune the tree pessimistically with this confidence; C4.5 uses 0.25, 0 does not prune."},
      {.name = "explain",
       .type = OptionType::kFlag,
       .section = "Tree",
       .help = "Print the rules of the tree's leaves. They describe the raw table: not for publication."},
  };
}

Result<TreeOptions> TreeOptionsFrom(const OptionValues& values, Task task) {
  TreeOptions options;
  if (values.Text("split") == "multiway") options.split = TreeOptions::Split::kMultiway;
  options.prune = values.Real("prune", options.prune);
  if (task == Task::kRegression && options.split == TreeOptions::Split::kMultiway) {
    return InvalidArgument(TADA_OPTION("split=multiway") " is C4.5, which predicts classes; the label is numeric")
        .WithHint("Use " TADA_OPTION("split=binary") ", or " TADA_OPTION(
            "task=classification") " to take the label's values as classes.");
  }
  if (task == Task::kRegression && options.prune > 0) {
    return InvalidArgument(TADA_OPTION("prune") " estimates errors of classes; the label is numeric")
        .WithHint("Leave " TADA_OPTION("prune") " out.");
  }
  return options;
}

}  // namespace tada
