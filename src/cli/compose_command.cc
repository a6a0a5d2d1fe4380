// tada compose: what several releases give away together.

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "files/read.h"
#include "job/read_options.h"
#include "report/compose_text.h"

namespace tada {
namespace {

Result<int> RunCompose(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(plan, PlanFromCommandLine(line));
  const Workers workers(plan.threads, &console.cancel);
  std::vector<Table> tables;
  for (const std::string& path : line.operands) {
    TADA_TRY(file, ReadTable(path, ReleaseReadOptions(plan), workers, console.progress));
    tables.push_back(std::move(file.table));
  }
  std::vector<ComposedRelease> releases;
  for (size_t i = 0; i < tables.size(); ++i) releases.push_back({line.operands[i], &tables[i]});
  ComposeOptions options;
  for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(column.name);
  for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(column.name);
  options.key = line.options.Text("overlap-key");
  options.requirement = plan.requirement;
  options.missing = plan.missing;
  console.progress.Begin("compose", 0);
  TADA_TRY(composition, Compose(releases, options, workers));
  console.progress.Clear();
  console.out << (line.options.Flag("json") ? ComposeJson(composition) : ComposeText(composition));
  return composition.passed ? kExitPassed : kExitAuditFailed;
}

}  // namespace

Command MakeComposeCommand() {
  return {
      .name = "compose",
      .summary = "show what several releases give away together",
      .description =
          "Report what somebody who knows that a person is in several releases can conclude from all of them: how "
          "many "
          "rows and how many sensitive values remain possible (the effective k and l). With --overlap-key people are "
          "followed by a column that names them; without it every pair of classes that may share a person is looked "
          "at.",
      .usage = "<release> <release>... --quasi <columns> [options]",
      .min_operands = 2,
      .max_operands = 16,
      .examples =
          {{"Two hospitals that may share patients",
            "tada compose north.csv south.csv --quasi age,zip --sensitive disease -k 5 -l 2"},
           {"Releases that still have a key, before it is taken out",
            "tada compose 2023.csv 2024.csv --overlap-key patient --quasi age,zip --sensitive disease -k 5 -l 2"},
           {"For a script", "tada compose a.csv b.csv --quasi age,zip --sensitive disease --json"}},
      .exits = CommonExits({{0, "together they keep the requirement"}, {1, "together they break the requirement"}}),
      .note =
          "The worst cases show what an attacker would learn: do not publish them. Releases must show values, ranges "
          "or sets; labels of a hierarchy are compared as names. See docs/compose.md.",
      .run = &RunCompose};
}

}  // namespace tada
