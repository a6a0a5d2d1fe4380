// tada anonymize: releases a table, audited before the file appears.

#include "base/words.h"
#include "cli/commands/run_release.h"
#include "report/draw/text_layout.h"
#include "report/release/report.h"
#include "report/release/report_words.h"

namespace tada {
namespace {

// With several controllers, what the rows of each one reach by themselves.
std::string ControllerLines(const Outcome& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (const Outcome::ControllerPart& part : outcome.controllers) {
    const Verdict& verdict = part.verdict;
    rows.push_back({"  " + part.name, Plural(verdict.rows, "row"),
                    fmt::format("k={} (asked {})", verdict.k, verdict.requirement.k)});
    if (!outcome.plan.sensitive.empty())
      rows.back().push_back(fmt::format("l={} (asked {})", verdict.l, verdict.requirement.l));
    for (const ReachedDemand& demand : verdict.further) rows.back().push_back(ReachedWords(demand));
  }
  return rows.empty() ? "" : "Controllers, each audited by itself:\n" + AlignColumns(rows, {false, true});
}

// What was reached and what it cost, in a few lines.
std::string ReleaseSummary(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  std::string text = fmt::format("{}: {} in {}, k={}", outcome.output_path, Plural(verdict.rows, "row"),
                                 Plural(verdict.classes, "class", "classes"), verdict.k);
  if (!outcome.plan.sensitive.empty()) text += fmt::format(", l={}", ReachedL(outcome));
  text += fmt::format(" (asked k={}", Asked(outcome).k);
  if (Asked(outcome).l > 1) text += fmt::format(", l={}", Asked(outcome).l);
  text += ")";
  for (const ReachedDemand& demand : verdict.further) text += "\n" + ReachedWords(demand);
  if (verdict.people) {
    text += fmt::format("\nEach class holds at least {}, {}", Plural(*verdict.people, "person", "people"),
                        Plural(verdict.smallest_class, "row"));
  }
  text += fmt::format("\nAudit of the finished file: passed\nMethod: {}; {}\n", outcome.method, LossWords(outcome));
  text += LevelLines(outcome);
  if (verdict.masked_rows > 0)
    text += fmt::format("Masked in every quasi-identifier: {}\n", Plural(verdict.masked_rows, "row"));
  text += ControllerLines(outcome);
  double seconds = 0;
  for (const auto& [stage, spent] : outcome.seconds) seconds += spent;
  text += fmt::format("Time: {:.2f} s; memory: {:.0f} MB\n", seconds, outcome.peak_memory_mb);
  if (!outcome.dropped_columns.empty()) {
    text += fmt::format("Not released, having no role: {}\n", fmt::join(outcome.dropped_columns, ", "));
  }
  if (outcome.rare_members > 0) {
    text += fmt::format("Cells name {} that fewer than {} rows have; --min-member leaves them out\n",
                        Plural(outcome.rare_members, "value"), Asked(outcome).k);
  }
  return text + WithheldWords(outcome);
}

// The release itself may be on standard output; then everything said about it goes to standard error.
void Say(const AnonymizeRequest& request, const ParsedCommandLine& line, const Outcome& outcome, Console& console) {
  std::ostream& out = outcome.output_path == "-" ? console.err : console.out;
  if (line.options.Flag("json")) {
    out << ReportJson(outcome) << '\n';
  } else if (!line.options.Flag("quiet")) {
    out << ReleaseSummary(outcome);
    if (!request.report.empty()) out << "Report: " << request.report << '\n';
    if (!request.save_cuts.empty()) out << "Cuts: " << request.save_cuts << '\n';
  }
  if (!request.plan.method_options.Flag("explain")) return;
  for (const NoteSection& section : outcome.sections) {
    if (section.text.empty()) continue;
    out << '\n' << section.title << "\n(from the raw table: not for publication)\n" << section.text;
  }
}

Result<int> RunAnonymize(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, AnonymizeRequestFrom(file, line.options));
  TADA_TRY(input, TableOperand(line));
  return RunRelease(std::move(request), input, line, console);
}

}  // namespace

Result<int> RunRelease(AnonymizeRequest request, const std::string& input, const ParsedCommandLine& line,
                       Console& console) {
  request.command = CommandText(line);
  const std::string output = line.options.Text("output");
  if (output.empty()) {
    return InvalidArgument("-o is missing: where should the release go?")
        .WithHint("Add -o <file>, or -o - for standard output.");
  }
  FileSource source(console.files, input);
  TADA_TRY(sink, console.files.OpenSink(
                     output, {.force = request.force,
                              .rows_per_file = static_cast<uint64_t>(line.options.Integer("rows-per-file", 0)),
                              .partition_by = line.options.Text("partition-by")}));
  TADA_TRY(done, Anonymize(request, source, *sink, console));
  console.progress.Clear();
  for (const std::string& note : done.notes) console.err << "tada: note: " << note << '\n';
  for (const std::string& warning : done.outcome.all_warnings()) console.err << "tada: warning: " << warning << '\n';
  if (!done.outcome.verdict.passed) return SayAuditFailed(done.outcome.verdict, console);
  Say(request, line, done.outcome, console);
  return 0;
}

Command MakeAnonymizeCommand() {
  return {
      .name = "anonymize",
      .summary = "release a (k,l)-anonymous version of a table",
      .description =
          "Anonymize a table so that every released row shares its quasi-identifiers with at least k-1 others, "
          "and each such class has at least l different sensitive values. The file appears only after an "
          "independent audit of it has passed.",
      .usage = "<input>... -o <output> [options]",
      .min_operands = 1,
      .max_operands = kMostFiles,
      .examples = {{"Every class of at least 10 people, with 3 diseases or more",
                    "tada anonymize people.csv --quasi age,zip,job --sensitive disease -k 10 -l 3 -o out.csv"},
                   {"For a classifier that will predict \"readmitted\", with a report to file",
                    "tada anonymize people.csv --quasi age,zip --sensitive disease --label readmitted -o out.parquet "
                    "--report out.html"},
                   {"By a plan", "tada anonymize people.csv --plan tada.toml -o out.csv"},
                   {"A folder of files, to a folder of files",
                    "tada anonymize visits/ --plan tada.toml -o out.parquet/ --rows-per-file 1000000"}},
      .options = AnonymizeCommandOptions(),
      .exits = CommonExits({{0, "released and audited"}, {1, "the audit failed: nothing was released"}}),
      .run = &RunAnonymize};
}

}  // namespace tada
