#include "commands/judge/attack.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

using enum OptionType;

OptionSpecs AttackCommandOptions() {
  const AttackOptions defaults;
  return Join({Only(RoleOptions(), {"quasi", "sensitive", "person"}),
               InputOptions(),
               QueryOption(),
               {TextOption("original", "file", "Input",
                           "Read the table that the release was made from: what the attacker knows."),
                {.name = "population",
                 .type = kText,
                 .value_name = "people",
                 .section = "Input",
                 .help = "Read people who may or may not be in the release, for risk and membership; by default the "
                         "original, and made-up people. A number says how many people the population has that the "
                         "original is a sample of, and its uniques are estimated.",
                 .in_plan = true},
                {.name = "subsets",
                 .type = kInteger,
                 .value_name = "size",
                 .default_text = DefaultText(defaults.subset_size),
                 .minimum = 0,
                 .maximum = 64,
                 .section = "Attack",
                 .help = "Also attack with every set of at most this many quasi-identifiers, for somebody who knows "
                         "less."},
                {.name = "people",
                 .type = kInteger,
                 .value_name = "count",
                 .default_text = DefaultText(defaults.max_people),
                 .minimum = 0,
                 .section = "Attack",
                 .help = "Set how many people to attack; a table with more is sampled. 0 attacks everybody."},
                {.name = "knows-method",
                 .type = kFlag,
                 .section = "Attack",
                 .help = "Also attack as somebody who knows how the release was made: which bounds are people's "
                         "values, and what running --method again with the same k and l tells."}},
               Only(RoleOptions(), {"label", "hierarchies", "hierarchy"}),
               Without(RequirementOptionSpecs(), {"population"}),
               Only(MethodChoiceOptions(), {"task", "method"}),
               CellOptions(),
               Only(OutputOptions(), {"force", "report", "json"}),
               Without(RunOptions(), {"memory"})});
}

}  // namespace tada
