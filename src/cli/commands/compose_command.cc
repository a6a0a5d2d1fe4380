// tada compose: what several releases give away together.

#include <deque>

#include "cli/commands/command.h"
#include "cli/terminal/exit_code.h"
#include "commands/judge/compose.h"
#include "report/compose_text.h"

namespace tada {
namespace {

Result<int> RunCompose(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, ComposeRequestFrom(file, line.options));
  std::deque<FileSource> files;
  std::vector<Source*> releases;
  for (const std::string& path : line.operands) releases.push_back(&files.emplace_back(console.files, path));
  TADA_TRY(composition, Compose(request, releases, console));
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
      .options = ComposeCommandOptions(),
      .exits = CommonExits({{0, "together they keep the requirement"}, {1, "together they break the requirement"}}),
      .note =
          "The worst cases show what an attacker would learn: do not publish them. Releases must show values, ranges "
          "or sets; labels of a hierarchy are compared as names. See docs/compose.md.",
      .run = &RunCompose};
}

}  // namespace tada
