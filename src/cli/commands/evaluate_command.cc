// tada evaluate: what models still learn from releases, over a grid of methods, k, l and seeds.

#include "base/option_mark.h"
#include "cli/commands/command.h"
#include "cli/terminal/exit_code.h"
#include "commands/judge/evaluate.h"
#include "report/evaluate_report.h"

namespace tada {
namespace {

Result<int> RunEvaluate(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, EvaluateRequestFrom(file, line.options));
  request.command = CommandText(line);
  TADA_TRY(path, TableOperand(line));
  FileSource source(console.files, path);
  TADA_TRY(result, Evaluate(request, source, console));
  if (line.options.Flag("json")) {
    console.out << OnCommandLine(result.json);
  } else if (!line.options.Flag("quiet")) {
    console.out << EvaluateText(result.summaries, result.task, result.baseline);
  }
  return kExitPassed;
}

}  // namespace

Command MakeEvaluateCommand() {
  return {
      .name = "evaluate",
      .summary = "compare methods by what models still learn from their releases",
      .description =
          "Release a table with every method at every k and l, several times with different splits, and measure what "
          "models learn from each release: F1macro, accuracy and more, beside information loss and time. Methods are "
          "compared seed by seed with a baseline.",
      .usage = "<input> --quasi <columns> --label <column> --methods <methods> [options]",
      .min_operands = 1,
      .max_operands = 1,
      .examples =
          {{"Which method keeps a classifier useful",
            "tada evaluate people.csv --quasi age,zip,job --sensitive disease --label readmitted --methods "
            "raw,mondrian,ta_da -k 2,5,10,25 -l 1,2 -o results.csv --report results.html"},
           {"Go on after an interruption",
            "tada evaluate people.csv --plan tada.toml --methods raw,mondrian -k 5,10 -o results.csv --resume"},
           {"Do clusters survive",
            "tada evaluate people.csv --quasi age,zip --task clustering --methods mondrian,ta_da -k 10 --seeds 3"}},
      .options = EvaluateCommandOptions(),
      .exits = CommonExits(
          {{0, "evaluated"}, {130, "interrupted: -o <file.csv> has what was finished, --resume continues"}}),
      .note = "Protocols, learners and what the figures mean: docs/evaluation.md.",
      .run = &RunEvaluate};
}

}  // namespace tada
