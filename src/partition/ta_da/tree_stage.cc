#include "partition/ta_da/tree_stage.h"

#include <algorithm>

#include "base/option_mark.h"
#include "groups/box_tree.h"
#include "partition/ta_da/label_context.h"

namespace tada {
namespace {

// The labels as the options have them counted; columns that this takes are added to the rows.
std::vector<LabelView> TreeLabels(const Problem& problem, const Groups& groups, const TreeOptions& options,
                                  NodeRows& rows, const LabelCounts& counts) {
  std::vector<LabelView> labels = LabelViews(problem, rows, counts);
  if (options.class_weights) AddClassWeights(rows, labels);
  if (options.split == TreeOptions::Split::kConditional)
    AddContexts(problem, FindContexts(problem, groups), rows, labels);
  return labels;
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
      words += "Each split makes two parts inside which the label is least mixed (information gain)";
      words += options_.split == TreeOptions::Split::kConditional
                   ? ", among people with the same sensitive values and kept columns."
                   : ".";
    }
    if (options_.lookahead) words += " Splits are chosen together with those that follow.";
    if (options_.class_weights) words += " All classes of the label count the same, however few rows they have.";
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
      const TreeChooser chooser(problem, TreeLabels(problem, groups, options_, rows, whole.labels), options_, &record);
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
    // Pruning looks at the whole tree, the others at rows.
    if (options_.prune > 0 || options_.lookahead || options_.class_weights) return nullptr;
    if (options_.split == TreeOptions::Split::kConditional) return nullptr;
    return std::make_unique<const TreeChooser>(problem, LabelViews(problem, NodeRows(problem, Groups()), whole.labels),
                                               options_, nullptr);
  }

 private:
  TreeOptions options_;
};

}  // namespace

std::unique_ptr<Stage> MakeTreeStage(TreeOptions options) { return std::make_unique<TreeStage>(options); }

std::vector<OptionSpec> TreeOptionSpecs() {
  return {
      {.name = "split",
       .type = OptionType::kChoice,
       .value_name = "kind",
       .default_text = "binary",
       .choices = {"binary", "multiway", "conditional"},
       .section = "Tree",
       .help = "Split the tree in two by plain gain, as C4.5 does, with one child per category, or in two by what is "
               "gained beyond what sensitive and kept columns tell."},
      {.name = "lookahead",
       .type = OptionType::kFlag,
       .section = "Tree",
       .help = "Choose each split together with the best ones after it; not with --split multiway."},
      {.name = "class-weights",
       .type = OptionType::kFlag,
       .section = "Tree",
       .help = "Count all classes of the label alike, however few rows they have; not with --split multiway."},
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
  if (values.Text("split") == "conditional") options.split = TreeOptions::Split::kConditional;
  options.prune = values.Real("prune", options.prune);
  options.lookahead = values.Flag("lookahead");
  options.class_weights = values.Flag("class-weights");
  const bool multiway = options.split == TreeOptions::Split::kMultiway;
  if (multiway && (options.lookahead || options.class_weights)) {
    return InvalidArgument(
               TADA_OPTION("{}") " is not for " TADA_OPTION("split=multiway") ", which is C4.5 as it stands",
               options.lookahead ? "lookahead" : "class-weights")
        .WithHint("Use " TADA_OPTION("split=binary") " or " TADA_OPTION("split=conditional") ".");
  }
  if (task == Task::kRegression && (options.class_weights || options.split == TreeOptions::Split::kConditional)) {
    return InvalidArgument(TADA_OPTION("{}") " counts classes; the label is numeric",
                           options.class_weights ? "class-weights" : "split=conditional")
        .WithHint("Leave it out, or use " TADA_OPTION("task=classification") " to take the label's values as classes.");
  }
  if (task == Task::kRegression && multiway) {
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
