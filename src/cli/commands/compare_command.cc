// tada compare: several releases of one table side by side.

#include <deque>

#include "cli/commands/command.h"
#include "cli/terminal/exit_code.h"
#include "commands/judge/compare.h"
#include "report/compare_report.h"

namespace tada {
namespace {

Result<int> RunCompare(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, CompareRequestFrom(file, line.options));
  if (!line.options.Has("original")) {
    return InvalidArgument("--original is missing: what are the releases compared with?")
        .WithHint("Name the table that they were made from.");
  }
  std::deque<FileSource> files;
  std::vector<Source*> releases;
  for (const std::string& path : line.operands) releases.push_back(&files.emplace_back(console.files, path));
  FileSource original(console.files, line.options.Text("original"));
  TADA_TRY(comparison, Compare(request, releases, original, console));
  console.out << (line.options.Flag("json") ? CompareJson(comparison) : CompareText(comparison));
  return kExitPassed;
}

}  // namespace

Command MakeCompareCommand() {
  return {
      .name = "compare",
      .summary = "show several releases of one table side by side",
      .description =
          "Compare releases of one table, tada's or other tools': the requirement that each reaches and its risk, the "
          "information it loses, means, variances, correlations and marginals before and after, the error of count "
          "queries, and what an attacker gets out of it.",
      .usage = "<release>... --original <input> --quasi <columns> [options]",
      .min_operands = 1,
      .max_operands = 16,
      .examples = {{"Two methods",
                    "tada compare a.csv b.csv --original people.csv --quasi age,zip,job --sensitive disease"},
                   {"With a page to look at",
                    "tada compare a.csv b.csv --original people.csv --plan tada.toml --report compare.html"},
                   {"The queries that matter to you",
                    "tada compare a.csv --original people.csv --plan tada.toml --workload "
                    "queries.toml"},
                   {"For a script", "tada compare a.csv b.csv --original people.csv --plan tada.toml --json"}},
      .options = CompareCommandOptions(),
      .exits = CommonExits({{0, "compared; a release that breaks the requirement is shown as failing"}}),
      .note =
          "What it prints and writes shows figures of the original table: it is confidential. Definitions: "
          "docs/compare.md.",
      .run = &RunCompare};
}

}  // namespace tada
