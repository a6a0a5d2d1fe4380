// tada advise: shows everything that can be released of a table, and releases what is chosen.

#include "base/option_mark.h"
#include "cli/commands/command.h"
#include "commands/release/advise.h"
#include "files/format.h"
#include "plan/shell_command.h"
#include "report/release/report.h"
#include "report/release/report_words.h"

namespace tada {
namespace {

// Releases a rule of an advice file.
Result<int> RunChoose(const ParsedCommandLine& line, Console& console) {
  const std::string from = line.options.Text("from"), output = line.options.Text("output");
  const std::string id = line.options.Text("choose");
  if (from.empty()) return InvalidArgument("--choose needs --from, the file that 'tada advise -o' wrote");
  if (output.empty()) return InvalidArgument("-o is missing: where should the release go?");
  TADA_TRY(chosen, ChooseRelease(from, id, line.options));
  chosen.request.command =
      fmt::format("tada advise --choose {} --from {} -o {}", id, ShellQuote(from), ShellQuote(ShownPath(output)));
  FileSource source(console.files, line.operands.empty() ? chosen.input : line.operands[0]);
  TADA_TRY(sink, console.files.OpenSink(output, {.force = chosen.request.force}));
  TADA_TRY(done, Anonymize(chosen.request, source, *sink, console));
  const Outcome& outcome = done.outcome;
  if (!outcome.verdict.passed) return SayAuditFailed(outcome.verdict, console);
  if (line.options.Flag("json")) {
    (output == "-" ? console.err : console.out) << ReportJson(outcome) << '\n';
  } else if (!line.options.Flag("quiet")) {
    (output == "-" ? console.err : console.out)
        << fmt::format("{}: {} rows in {} classes, k={}{}\nAudit of the finished file: passed\nMethod: {}; {}\n",
                       ShownPath(output), outcome.verdict.rows, outcome.verdict.classes, outcome.verdict.k,
                       outcome.plan.sensitive.empty() ? "" : fmt::format(", l={}", outcome.verdict.l), outcome.method,
                       LossWords(outcome));
  }
  return 0;
}

Result<int> RunAdvise(const ParsedCommandLine& line, Console& console) {
  if (line.options.Has("choose")) return RunChoose(line, console);
  if (line.operands.empty())
    return InvalidArgument("The input is missing")
        .WithHint("For example: tada advise people.csv --label income -o advice.json");
  if (line.operands[0] == "-")
    return InvalidArgument("advise reads its input twice, so it takes a file, not standard input");
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, AdviseRequestFrom(file, line.options));
  request.command = CommandText(line);
  FileSource source(console.files, line.operands[0]);
  TADA_TRY(result, Advise(request, source, console));
  if (line.options.Flag("json") || request.output == "-") {
    console.out << OnCommandLine(result.json);
  } else if (!line.options.Flag("quiet")) {
    console.out << AdviceText(result.advice, result.joint, request.options, result.source);
    if (!request.report.empty()) console.out << "Report: " << request.report << '\n';
  }
  return 0;
}

}  // namespace

Command MakeAdviseCommand() {
  return {
      .name = "advise",
      .summary = "show everything that can be released: how anonymous, how useful",
      .description =
          "Try everything that can be released of a table: rules and all combinations of levels for whole columns, and "
          "methods that form groups. Show the k of each, how well the label can still be predicted, how much is known "
          "about it and what it costs; say which are beaten by others, and release the one that is chosen, audited.",
      .usage = "<input> [--label <column>] [options], or --choose <id> --from <advice.json> -o <output>",
      .min_operands = 0,
      .max_operands = 1,
      .examples =
          {{"All columns but the label are quasi-identifiers unless --quasi names them",
            "tada advise people.csv --label income --hierarchies hierarchies/ -o advice.json --report advice.html"},
           {"Without a label: by k, information loss and the error of count queries",
            "tada advise people.csv --quasi age,zip,job --sensitive disease -l 3 -k 10 -o advice.json"},
           {"Release what was chosen on the page", "tada advise --choose mondrian-k20 --from advice.json -o out.csv"}},
      .options = AdviseCommandOptions(),
      .exits = CommonExits({{0, "advised, or released and audited"}, {1, "the audit failed: nothing was released"}}),
      .run = &RunAdvise};
}

}  // namespace tada
