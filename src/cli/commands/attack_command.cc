// tada attack: what somebody who knows people's quasi-identifiers can do with a release.

#include "cli/commands/command.h"
#include "cli/terminal/exit_code.h"
#include "commands/judge/attack.h"
#include "report/attack_report.h"

namespace tada {
namespace {

Result<int> RunAttack(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, AttackRequestFrom(file, line.options));
  if (!line.options.Has("original")) {
    return InvalidArgument("--original is missing: whom does the attacker look for?")
        .WithHint("Name the table that the release was made from.");
  }
  TADA_TRY(path, TableOperand(line));
  FileSource release(console.files, path);
  FileSource original(console.files, line.options.Text("original"));
  std::optional<FileSource> population;
  if (const auto people = PopulationFile(line.options)) population.emplace(console.files, *people);
  TADA_TRY(result, Attack(request, release, original, population ? &*population : nullptr, console));
  console.out << (line.options.Flag("json") ? AttackJson(result) : AttackText(result));
  return kExitPassed;
}

}  // namespace

Command MakeAttackCommand() {
  return {
      .name = "attack",
      .summary = "simulate an attacker on a release, tada's or another tool's",
      .description =
          "Measure what somebody who knows the quasi-identifiers of the people in the original can do with a release: "
          "find their rows, guess their sensitive values, tell who is in it. Each figure stands beside what could be "
          "done without the release.",
      .usage = "<release> --original <input> --quasi <columns> [options]",
      .min_operands = 1,
      .max_operands = 1,
      .examples = {{"How much does it give away",
                    "tada attack out.csv --original people.csv --quasi age,zip,job --sensitive disease"},
                   {"To somebody who knows only two of the columns, and with a page of charts",
                    "tada attack out.csv --original people.csv --plan tada.toml --subsets 2 --report attack.html"}},
      .options = AttackCommandOptions(),
      .exits = CommonExits({{0, "attacked; the figures say how well it went"}}),
      .note = "Definitions, and what the figures do not say: docs/attack.md. The report is not for publication.",
      .run = &RunAttack};
}

}  // namespace tada
