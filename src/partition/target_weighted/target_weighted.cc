#include "partition/target_weighted/target_weighted.h"

#include "draw/html_text.h"
#include "partition/target_weighted/target_split.h"

namespace tada {
namespace {

struct TargetOptions {
  double lambda = 0.5;
  uint32_t trees = 60;
};

std::string JsonText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// The weights of the columns, for the report: shares of influence, no values.
StageNotes::Section WeightSection(const Problem& problem, const Teacher& teacher) {
  StageNotes::Section section;
  section.key = "target_weights";
  section.title = "How much each column says about the label";
  HtmlTable table{{"column", "weight"}, {}, {false, true}};
  section.json = "{";
  for (size_t i = 0; i < problem.num_quasi(); ++i) {
    const std::string& name = problem.quasi(i).name();
    table.rows.push_back({name, fmt::format("{:.3f}", teacher.weights[i])});
    section.json += fmt::format("{}{}: {:.4f}", i == 0 ? "" : ", ", JsonText(name), teacher.weights[i]);
    section.text += fmt::format("  {}: {:.3f}\n", name, teacher.weights[i]);
  }
  section.html = ToHtml(table);
  section.json += "}";
  return section;
}

class TargetStage final : public Stage {
 public:
  explicit TargetStage(TargetOptions options) : options_(options) {}
  std::string_view name() const override { return "target_weighted"; }
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
      .options =
          {{.name = "label-share",
            .type = OptionType::kReal,
            .value_name = "share",
            .default_text = "0.5",
            .minimum = 0,
            .maximum = 1,
            .section = "Target",
            .help =
                "Weigh the label (1: nothing else counts) against the width of cells (0), by the columns' weights."},
           {.name = "trees",
            .type = OptionType::kInteger,
            .value_name = "count",
            .default_text = "60",
            .minimum = 1,
            .maximum = 10000,
            .section = "Target",
            .help = "Set the number of trees in the forest that estimates how likely each class is for each row."}},
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
