#include <fmt/ranges.h>

#include "commands/release/advise.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

using enum OptionType;

namespace {

OptionSpecs RuleOptions() {
  const std::string_view rules = "Rules";
  const AdviseOptions defaults;
  return {{.name = "coverage",
           .type = kReal,
           .value_name = "percent",
           .default_text = DefaultText(defaults.coverage),
           .minimum = 0,
           .maximum = 100,
           .section = rules,
           .help = "Set the share of the pairs of rows with different labels that rules must keep apart, the most "
                   "frequent patterns first. More makes longer rules of smaller k."},
          {.name = "min-k",
           .type = kInteger,
           .value_name = "rows",
           .default_text = DefaultText(defaults.min_k),
           .minimum = 1,
           .section = rules,
           .help = "Set the smallest k of interest."},
          {.name = "all-levels",
           .type = kFlag,
           .section = rules,
           .help = "Also list every combination of levels with that k, and say how far each rule is from the best of "
                   "them."},
          {.name = "pairs",
           .type = kInteger,
           .value_name = "count",
           .default_text = DefaultText(defaults.max_pairs),
           .minimum = 1,
           .maximum = 4e9,
           .section = rules,
           .help = "Set the maximum number of pairs to count; a table with more is sampled, and the advice says so."},
          {.name = "max-rules",
           .type = kInteger,
           .value_name = "count",
           .default_text = DefaultText(defaults.max_rules),
           .minimum = 1,
           .section = rules,
           .help = "Give up beyond this many rules."},
          {.name = "validate",
           .type = kList,
           .value_name = "tree,svm|none",
           .default_text = "tree,svm",
           .section = rules,
           .help = "Cross-validate these models on the frontier: a decision tree (C4.5), a linear support vector "
                   "machine."},
          {.name = "validate-all",
           .type = kFlag,
           .section = rules,
           .help = "Cross-validate every rule, not only the frontier."},
          {.name = "baselines",
           .type = kList,
           .value_name = "methods",
           .default_text = fmt::format("{}", fmt::join(defaults.baselines, ",")),
           .section = rules,
           .help = "Show these methods beside the rules, at k of 5, 20 and 100; none shows no method."},
          {.name = "methods",
           .type = kList,
           .value_name = "methods",
           .default_text = fmt::format("{}", fmt::join(JointOptions().methods, ",")),
           .section = rules,
           .help = "Put releases by these methods beside the rules and level vectors, at k from --min-k to a tenth of "
                   "the rows; none leaves them out."},
          {.name = "wide",
           .type = kFlag,
           .section = rules,
           .help = "Search more: slow methods at every k, more values of k, more level vectors. The advice says what "
                   "that would add."},
          {.name = "choose",
           .type = kText,
           .value_name = "id",
           .section = rules,
           .help = "Release this candidate of the advice that --from names, audited: r17, v3, mondrian-k20."},
          {.name = "from",
           .type = kText,
           .value_name = "advice.json",
           .section = rules,
           .help = "Read the advice that --choose chooses from."}};
}

}  // namespace

OptionSpecs AdviseCommandOptions() {
  const OptionSpecs output = OutputOptions();
  OptionSpecs requirement = RequirementOptionSpecs();
  for (OptionSpec& option : requirement) {
    if (option.name == "k") option.help = "Set the k that you need: places to start have it. Less is shown too.";
  }
  return Join({RoleOptions(),
               requirement,
               Only(MethodChoiceOptions(), {"controllers", "controller-column"}),
               InputOptions(),
               RuleOptions(),
               {WithHelp(*FindOption(output, "output"),
                         "Write the advice to this file, .json; with --choose the release, as in 'tada anonymize'.")},
               Only(output, {"force", "report", "report-raw", "resume", "json"}),
               Without(RunOptions(), {"memory"})});
}

}  // namespace tada
