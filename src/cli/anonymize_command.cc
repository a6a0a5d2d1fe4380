// tada anonymize: releases a table, audited before the file appears.

#include <cctype>
#include <charconv>
#include <map>

#include "cli/commands.h"
#include "cli/text_layout.h"
#include "job/release_file.h"
#include "report/report.h"
#include "report/report_words.h"

namespace tada {
namespace {

// With several controllers, what the rows of each one reach by themselves.
std::string ControllerLines(const Outcome& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (const Outcome::ControllerPart& part : outcome.controllers) {
    const Verdict& verdict = part.verdict;
    rows.push_back({"  " + part.name, fmt::format("{} rows", verdict.rows),
                    fmt::format("k={} (asked {})", verdict.k, verdict.requirement.k)});
    if (!outcome.plan.sensitive.empty())
      rows.back().push_back(fmt::format("l={} (asked {})", verdict.l, verdict.requirement.l));
  }
  return rows.empty() ? "" : "Controllers, each audited by itself:\n" + AlignColumns(rows, {false, true, false, false});
}

// What was reached and what it cost, in a few lines.
std::string Summary(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  std::string text =
      fmt::format("{}: {} rows in {} classes, k={}", outcome.output_path, verdict.rows, verdict.classes, verdict.k);
  if (!outcome.plan.sensitive.empty()) text += fmt::format(", l={}", ReachedL(outcome));
  text += fmt::format(" (asked k={}", Asked(outcome).k);
  if (Asked(outcome).l > 1) text += fmt::format(", l={}", Asked(outcome).l);
  text +=
      fmt::format(")\nAudit of the finished file: passed\nMethod: {}; {}\n", outcome.method, LossWords(outcome.score));
  text += ControllerLines(outcome);
  double seconds = 0;
  for (const auto& [stage, spent] : outcome.seconds) seconds += spent;
  text += fmt::format("Time: {:.2f} s; memory: {:.0f} MB\n", seconds, outcome.peak_memory_mb);
  if (!outcome.dropped_columns.empty()) {
    text += fmt::format("Not released, having no role: {}\n", fmt::join(outcome.dropped_columns, ", "));
  }
  if (outcome.withheld_rows > 0) text += fmt::format("Rows withheld: {}\n", outcome.withheld_rows);
  return text;
}

// A size as --memory takes it, in bytes: 512MB, 2 GB, 1500000000.
Result<uint64_t> MemoryOf(const std::string& text) {
  constexpr uint64_t kLeast = uint64_t{64} << 20;
  uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::map<std::string, int> shifts = {{"", 0},    {"B", 0},  {"K", 10},  {"KB", 10}, {"M", 20},
                                             {"MB", 20}, {"G", 30}, {"GB", 30}, {"T", 40},  {"TB", 40}};
  const auto shift = shifts.find(unit);
  if (code != std::errc() || shift == shifts.end() || number > UINT64_MAX >> 42) {
    return InvalidArgument("--memory takes a size such as 512MB or 2GB, not '{}'", text);
  }
  const uint64_t bytes = number << shift->second;
  if (bytes < kLeast) {
    return InvalidArgument("--memory is too small: {}", text)
        .WithHint("Allow 64MB or more; the program itself needs some.");
  }
  return bytes;
}

Result<int> RunAnonymize(const ParsedCommandLine& line, Console& console) {
  ReleaseJob job;
  TADA_TRY(plan, PlanFromCommandLine(line));
  job.plan = std::move(plan);
  job.input = line.operands[0];
  job.output = line.options.Text("output");
  if (job.output.empty()) {
    return InvalidArgument("-o is missing: where should the release go?")
        .WithHint("Add -o <file>, or -o - for standard output.");
  }
  job.report = line.options.Text("report");
  job.report_raw = line.options.Flag("report-raw");
  job.force = line.options.Flag("force");
  if (line.options.Has("memory")) {
    TADA_TRY(memory, MemoryOf(line.options.Text("memory")));
    job.memory = memory;
  }
  job.command = CommandText(line);
  const Workers workers(job.plan.threads, &console.cancel);
  TADA_TRY(outcome, ReleaseFile(job, workers, console.progress));
  // The release itself may be on standard output; then everything said about it goes to standard error.
  std::ostream& out = job.output == "-" ? console.err : console.out;
  for (const std::string& warning : outcome.warnings) console.err << "tada: warning: " << warning << '\n';
  if (!outcome.verdict.passed) {
    console.err << "tada: error: the audit of the finished file failed, nothing was released: "
                << fmt::format("{}", fmt::join(outcome.verdict.problems, "; ")) << "\n"
                << "tada: hint: this is a bug in tada; please report it with the plan and the --seed that show it.\n";
    return 1;
  }
  if (line.options.Flag("json")) {
    out << ReportJson(outcome) << '\n';
  } else if (!line.options.Flag("quiet")) {
    out << Summary(outcome);
    if (!job.report.empty()) out << "Report: " << job.report << '\n';
  }
  if (job.plan.method_options.Flag("explain")) {
    for (const StageNotes::Section& section : outcome.sections) {
      if (section.text.empty()) continue;
      out << '\n' << section.title << "\n(from the raw table: not for publication)\n" << section.text;
    }
  }
  return 0;
}

}  // namespace

Command MakeAnonymizeCommand() {
  return {
      .name = "anonymize",
      .summary = "release a (k,l)-anonymous version of a table",
      .description =
          "Anonymize a table so that every released row shares its quasi-identifiers with at least k-1 others, "
          "and each such class has at least l different sensitive values. The file appears only after an "
          "independent audit of it has passed.",
      .usage = "<input> -o <output> [options]",
      .min_operands = 1,
      .max_operands = 1,
      .examples = {{"Every class of at least 10 people, with 3 diseases or more",
                    "tada anonymize people.csv --quasi age,zip,job --sensitive disease -k 10 -l 3 -o out.csv"},
                   {"For a classifier that will predict \"readmitted\", with a report to file",
                    "tada anonymize people.csv --quasi age,zip --sensitive disease --label readmitted -o out.parquet "
                    "--report out.html"},
                   {"By a plan", "tada anonymize people.csv --plan tada.toml -o out.csv"}},
      .exits = CommonExits({{0, "released and audited"}, {1, "the audit failed: nothing was released"}}),
      .run = &RunAnonymize};
}

}  // namespace tada
