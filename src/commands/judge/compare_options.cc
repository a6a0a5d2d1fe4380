#include "commands/judge/compare.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

using enum OptionType;

OptionSpecs CompareCommandOptions() {
  const CompareOptions defaults;
  const std::string_view comparison = "Comparison";
  return Join({Without(RoleOptions(), {"rows-are-people"}),
               RequirementOptionSpecs(),
               Only(CellOptions(), {"withhold", "clip"}),
               InputOptions(),
               {TextOption("original", "file", "Input", "Read the table that the releases were made from."),
                {.name = "queries",
                 .type = kInteger,
                 .value_name = "count",
                 .default_text = DefaultText(defaults.queries),
                 .minimum = 0,
                 .maximum = 1e6,
                 .section = comparison,
                 .help = "Set how many count queries to make up; 0 asks none."},
                {.name = "workload",
                 .type = kText,
                 .value_name = "file.toml",
                 .section = comparison,
                 .help = "Ask the count queries of this file instead of made-up ones; docs/algorithms/workload.md "
                         "describes it."},
                {.name = "people",
                 .type = kInteger,
                 .value_name = "count",
                 .default_text = DefaultText(defaults.max_people),
                 .minimum = 0,
                 .section = comparison,
                 .help = "Set how many people to attack; a table with more is sampled. 0 attacks everybody."}},
               Only(OutputOptions(), {"force", "report", "json"}),
               Without(RunOptions(), {"memory"})});
}

}  // namespace tada
