#include "partition/ta_da.h"

#include "partition/mondrian.h"
#include "partition/tree_stage.h"

namespace tada {
namespace {

Result<std::vector<std::unique_ptr<Stage>>> MakeStages(const MethodContext& context) {
  std::vector<std::unique_ptr<Stage>> stages;
  TADA_TRY(tree, TreeOptionsFrom(context.options, context.task));
  stages.push_back(MakeTreeStage(tree));
  stages.push_back(MakeMondrianStage(MondrianOptionsFrom(context.options)));
  return stages;
}

std::vector<OptionSpec> Options() {
  std::vector<OptionSpec> options = TreeOptionSpecs();
  for (OptionSpec& spec : MondrianOptionSpecs()) options.push_back(std::move(spec));
  return options;
}

}  // namespace

MethodEntry TaDaMethod() {
  return {.name = "ta_da",
          .maturity = Maturity::kStable,
          .summary = "Groups rows by what the data is for (a tree for a label, k-means for clusters), then runs Mondrian inside.",
          .page = "docs/algorithms/ta_da.md",
          .tasks = {Task::kClassification, Task::kRegression},
          .options = Options(),
          .make = &MakeStages};
}

}  // namespace tada
