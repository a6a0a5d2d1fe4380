#include "partition/auto_entry.h"

namespace tada {
namespace {

Result<std::vector<std::unique_ptr<Stage>>> MakeStages(const MethodContext& context) {
  static const OptionValues kNone;
  return FindMethod(DefaultMethod(context.task))->make({context.task, kNone});
}

}  // namespace

MethodEntry AutoMethod() {
  return {.name = "auto",
          .maturity = Maturity::kExperimental,
          .summary = "Tries several methods on the table and its task, and takes the one that models learn most from.",
          .page = "docs/algorithms/auto.md",
          .tasks = {},
          .options = {{.name = "auto-seconds",
                       .type = OptionType::kReal,
                       .value_name = "seconds",
                       .default_text = "0",
                       .minimum = 0,
                       .section = "Auto",
                       .help = "Start no further trial after this time; 0 tries them all. With a limit the choice may "
                               "depend on the machine."}},
          .make = &MakeStages,
          .row_order = &ByPosition,
          .order_matters = "With --auto-seconds: which trials are made depends on how fast they are."};
}

}  // namespace tada
