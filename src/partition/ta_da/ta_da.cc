#include "partition/ta_da/ta_da.h"

#include <algorithm>

#include "base/option_mark.h"
#include "partition/compact/compact.h"
#include "partition/engine/label_share.h"
#include "partition/mondrian/mondrian.h"
#include "partition/ta_da/clusters/cell_polish.h"
#include "partition/ta_da/clusters/cluster_polish.h"
#include "partition/ta_da/clusters/kmeans_stage.h"
#include "partition/ta_da/tree_stage.h"

namespace tada {
namespace {

// A share of 1 is taken for this: among groups that are alike in their labels the narrower cells still count.
constexpr double kMostLabelShare = 0.9999;

std::vector<OptionSpec> ClusteringOptionSpecs() {
  std::vector<OptionSpec> options = KMeansOptionSpecs();
  options.push_back(PolishOptionSpec());
  return options;
}

std::vector<OptionSpec> LabelOptionSpecs() {
  std::vector<OptionSpec> options = TreeOptionSpecs();
  options.push_back(LabelShareOptionSpec());
  return options;
}

// The tree's options are for labels, those of k-means and polishing for clustering; Mondrian's are for all.
bool Serves(const OptionSpec& option, Task task) {
  const auto named = [&](const std::vector<OptionSpec>& specs) {
    return std::any_of(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == option.name; });
  };
  return task == Task::kClustering ? !named(LabelOptionSpecs()) : !named(ClusteringOptionSpecs());
}

Status CheckOptions(const MethodContext& context) {
  for (const auto& [name, values] : context.options.all()) {
    if (Serves({.name = name}, context.task)) continue;
    const bool clustering = context.task == Task::kClustering;
    return InvalidArgument(TADA_OPTION("{}") " is for {}, but the task is {}", name,
                           clustering ? "a label" : TADA_OPTION("task=clustering"),
                           clustering ? "clustering" : "to predict a label")
        .WithHint(fmt::format("Leave out " TADA_OPTION("{}") ", or change " TADA_OPTION("task") ".", name));
  }
  if (!context.options.Has("label-share")) return Ok();
  for (const OptionSpec& spec : MondrianOptionSpecs()) {
    if (!context.options.Has(spec.name) || context.options.Text(spec.name) == "false") continue;
    return InvalidArgument(TADA_OPTION("{}") " is for Mondrian, which " TADA_OPTION("label-share") " replaces",
                           spec.name)
        .WithHint(fmt::format("Leave out " TADA_OPTION("{}") " or " TADA_OPTION("label-share") ".", spec.name));
  }
  return Ok();
}

Result<std::vector<std::unique_ptr<Stage>>> MakeStages(const MethodContext& context) {
  TADA_CHECK_OK(CheckOptions(context));
  std::vector<std::unique_ptr<Stage>> stages;
  if (context.task == Task::kClustering) {
    stages.push_back(MakeKMeansStage(KMeansOptionsFrom(context.options)));
  } else {
    TADA_TRY(tree, TreeOptionsFrom(context.options, context.task));
    stages.push_back(MakeTreeStage(tree));
  }
  if (context.options.Has("label-share")) {
    stages.push_back(
        MakeCompactStage({.label_share = std::min(context.options.Real("label-share", 0), kMostLabelShare)}));
    return stages;
  }
  const MondrianOptions mondrian = MondrianOptionsFrom(context.options);
  stages.push_back(MakeMondrianStage(mondrian));
  if (context.task != Task::kClustering) return stages;
  const NameEncoding encoding = KMeansOptionsFrom(context.options).encoding;
  const uint32_t rounds = PolishRoundsFrom(context.options);
  if (rounds > 0) stages.push_back(MakePolishStage({.rounds = rounds, .encoding = encoding, .mondrian = mondrian}));
  if (PolishesForClusters(context.options)) stages.push_back(MakeClusterPolishStage(encoding));
  return stages;
}

// The tree and Mondrian count; k-means and the search with --label-share start from rows that they draw.
RowOrder RowOrderOf(const MethodContext& context) {
  if (context.options.Has("label-share")) return RowOrder::kCanonical;
  if (context.task != Task::kClustering) return MondrianRowOrder(context);
  return KMeansOptionsFrom(context.options).encoding == NameEncoding::kAppearance ? RowOrder::kInput
                                                                                  : RowOrder::kCanonical;
}

std::vector<OptionSpec> Options() {
  std::vector<OptionSpec> options = LabelOptionSpecs();
  for (OptionSpec& spec : ClusteringOptionSpecs()) options.push_back(std::move(spec));
  for (OptionSpec& spec : MondrianOptionSpecs()) options.push_back(std::move(spec));
  return options;
}

}  // namespace

MethodEntry TaDaMethod() {
  return {
      .name = "ta_da",
      .maturity = Maturity::kStable,
      .summary =
          "Groups rows by what the data is for (a tree for a label, k-means for clusters), then runs Mondrian inside.",
      .page = "docs/algorithms/ta_da.md",
      .tasks = {Task::kClassification, Task::kRegression, Task::kClustering},
      .options = Options(),
      .make = &MakeStages,
      .serves = &Serves,
      .row_order = &RowOrderOf,
      .has_boxes =
          [](const MethodContext& context) {
            return context.task != Task::kClustering && !context.options.Has("label-share") &&
                   MondrianHasBoxes(context);
          },
      .by_quasi_alone =
          [](const MethodContext& context) {
            return context.task == Task::kClustering && !KMeansOptionsFrom(context.options).all_columns &&
                   !PolishesForClusters(context.options);
          },
      .order_matters = "With --encoding appearance, which numbers the names of a column as they first appear."};
}

}  // namespace tada
