#include "partition/target_weighted/target_weighted.h"

#include "base/words.h"
#include "partition/engine/label_share.h"
#include "partition/target_weighted/target_split.h"

namespace tada {
namespace {

struct TargetOptions {
  double lambda = 0.5;
  uint32_t trees = 60;
};

// The weights of the columns, for the report: shares of influence, no values.
NoteSection WeightSection(const Problem& problem, const Teacher& teacher) {
  NoteSection section{.key = "target_weights", .title = "How much each column says about the label", .raw = true};
  DataTable table{.header = {"column", "weight"}, .right = {false, true}};
  Fact::Map facts;
  for (size_t i = 0; i < problem.num_quasi(); ++i) {
    const std::string& name = problem.quasi(i).name();
    table.rows.push_back({name, fmt::format("{:.3f}", teacher.weights[i])});
    facts.emplace_back(name, RoundToDecimals(teacher.weights[i], 4));
    section.text += fmt::format("  {}: {:.3f}\n", name, teacher.weights[i]);
  }
  section.facts = std::move(facts);
  section.blocks.push_back({std::move(table)});
  return section;
}

class TargetStage final : public Stage {
 public:
  explicit TargetStage(TargetOptions options) : options_(options) {}
  std::string_view name() const override { return "target_weighted"; }
  std::string About(const Problem& /*problem*/) const override {
    const char* goal =
        "people whom the forest answers alike stay together, and the columns that it looks at stay narrow";
    if (options_.lambda == 0) goal = "the columns that the forest looks at stay narrow";
    if (options_.lambda == 1) goal = "people whom the forest answers alike stay together";
    return fmt::format(
        "A random forest ({}) learns to predict the label. Groups are then cut, again and again, so that {} (share of "
        "the label: {}); {}",
        Plural(options_.trees, "tree"), goal, options_.lambda, kCutsThatAreNotMade);
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    if (groups.num_rows() == 0 || problem.num_quasi() == 0) return groups;
    problem.progress.Begin("teacher", 0);
    const Teacher teacher = Teach(problem, groups.order(), options_.trees);
    problem.notes.sections.push_back(WeightSection(problem, teacher));
    TargetSplit chooser(problem, teacher, groups.order(), options_.lambda);
    NodeRows rows(problem, groups);
    chooser.MeasureRoot(rows, groups);
    return SplitAll(problem, groups, chooser, name(), std::move(rows));
  }

 private:
  TargetOptions options_;
};

}  // namespace

MethodEntry TargetWeightedMethod() {
  return {
      .name = "target_weighted",
      .maturity = Maturity::kExperimental,
      .summary = "Keeps together rows that a model would answer alike, and narrow the columns that it looks at.",
      .page = "docs/algorithms/target_weighted.md",
      .tasks = {Task::kClassification},
      .options = {LabelShareOptionSpec(DefaultText(TargetOptions{}.lambda)),
                  {.name = "trees",
                   .type = OptionType::kInteger,
                   .value_name = "count",
                   .default_text = DefaultText(TargetOptions{}.trees),
                   .minimum = 1,
                   .maximum = 10000,
                   .section = "Target",
                   .help =
                       "Set the number of trees in the forest that estimates how likely each class is for each row."}},
      .make = [](const MethodContext& context) -> Result<std::vector<std::unique_ptr<Stage>>> {
        TargetOptions options;
        options.lambda = context.options.Real("label-share", options.lambda);
        options.trees = static_cast<uint32_t>(context.options.Integer("trees", options.trees));
        std::vector<std::unique_ptr<Stage>> stages;
        stages.push_back(std::make_unique<TargetStage>(options));
        return stages;
      },
      .row_order = &ByPosition};
}

}  // namespace tada
