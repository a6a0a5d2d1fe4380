#include "partition/auto_entry.h"

namespace tada {
namespace {

Result<std::vector<std::unique_ptr<Stage>>> MakeStages(const MethodContext& context) {
  static const OptionValues kNone;
  return FindMethod(DefaultMethod(context.task))->make({context.task, kNone});
}

}  // namespace

MethodEntry AutoMethod() {
  return {
      .name = "auto",
      .maturity = Maturity::kExperimental,
      .summary = "Tries several methods on the table and its task, and takes the one that models learn most from.",
      .page = "docs/algorithms/auto.md",
      .tasks = {},
      .options = {{.name = "auto-trials",
                   .type = OptionType::kInteger,
                   .value_name = "count",
                   .default_text = "0",
                   .minimum = 0,
                   .section = "Auto",
                   .help = "Make at most this many trials, each a release of four fifths of the rows and the models "
                           "that learn from it; 0 for all of them."}},
      .make = &MakeStages,
      .row_order = &ByPosition};
}

}  // namespace tada
