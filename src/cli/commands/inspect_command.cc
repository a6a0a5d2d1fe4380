// tada inspect: profiles a table and proposes roles.

#include "cli/commands/command.h"
#include "commands/judge/inspect.h"
#include "plan/shell_command.h"
#include "report/profile_report.h"

namespace tada {
namespace {

Result<int> RunInspect(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, InspectRequestFrom(file, line.options));
  const std::string target = line.options.Text("write-plan");
  if (line.options.Flag("json") && target == "-") {
    return InvalidArgument("--json and --write-plan - would both print: choose one");
  }
  TADA_TRY(path, TableOperand(line));
  FileSource source(console.files, path);
  TADA_TRY(profile, Inspect(request, source, console));
  const Plan& plan = request.plan;
  if (!target.empty())
    TADA_CHECK_OK(WriteWhole(target, line.options.Flag("force"), DraftPlanToml(profile, plan, source.name())));
  if (target == "-") return 0;
  const bool hipaa = line.options.Flag("hipaa");
  console.out << (line.options.Flag("json") ? ProfileJson(profile, plan)
                  : hipaa                   ? HipaaText(profile, source.name())
                                            : ProfileText(profile, plan, source.name()));
  if (!target.empty() && !line.options.Flag("json")) {
    console.out << fmt::format("\nPlan: {}. Read it, change it, then:\n  tada anonymize {} --plan {} -o <output>\n",
                               target, ShellQuote(source.name()), ShellQuote(target));
  }
  return 0;
}

}  // namespace

Command MakeInspectCommand() {
  return {.name = "inspect",
          .summary = "profile columns, propose roles, draft a plan",
          .description =
              "Profile the columns of a table, propose a role for each and say why, and show how identifying the raw "
              "table is. Roles given as options replace the proposals.",
          .usage = "<input>... [options]",
          .min_operands = 1,
          .max_operands = kMostFiles,
          .examples = {{"A first look", "tada inspect people.csv"},
                       {"Draft a plan to work from", "tada inspect people.csv --write-plan tada.toml"},
                       {"How identifying are age and zip alone",
                        "tada inspect people.csv --quasi age,zip --keep job --json"},
                       {"What HIPAA's Safe Harbor rule would have removed", "tada inspect people.csv --hipaa"}},
          .options = InspectCommandOptions(),
          .exits = CommonExits({{0, "inspected"}}),
          .run = &RunInspect};
}

}  // namespace tada
