// tada advise: shows every sensible way to recode whole columns, and releases the one that is chosen.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/report_file.h"
#include "cli/text_layout.h"
#include "files/read.h"
#include "files/write.h"
#include "job/read_options.h"
#include "job/release_file.h"
#include "partition/registry.h"
#include "plan/plan_columns.h"
#include "plan/shell_command.h"
#include "report/advice_report.h"
#include "report/report_words.h"

namespace tada {
namespace {

// Releases a rule of an advice file.
Result<int> RunChoose(const ParsedCommandLine& line, Console& console) {
  const std::string from = line.options.Text("from"), output = line.options.Text("output");
  if (from.empty()) return InvalidArgument("--choose needs --from, the file that 'tada advise -o' wrote");
  if (output.empty()) return InvalidArgument("-o is missing: where should the release go?");
  const auto text = ReadWholeFile(from);
  if (!text.ok()) return InvalidArgument("--from cannot be read: {}: {}", from, text.error().message);
  TADA_TRY(chosen, ChooseRule(*text, from, line.options.Text("choose")));
  ReleaseJob job;
  job.plan = std::move(chosen.plan);
  if (line.options.Has("threads")) job.plan.threads = static_cast<int>(line.options.Integer("threads", 0));
  job.input = line.operands.empty() ? chosen.input : line.operands[0];
  job.output = output;
  job.report = line.options.Text("report");
  job.force = line.options.Flag("force");
  job.command = fmt::format("tada advise --choose {} --from {} -o {}", line.options.Text("choose"), ShellQuote(from),
                            ShellQuote(output));
  const Workers workers(job.plan.threads, &console.cancel);
  TADA_TRY(outcome, ReleaseFile(job, workers, console.progress));
  if (!outcome.verdict.passed) {
    console.err << "tada: error: the audit of the finished file failed, nothing was released: "
                << fmt::format("{}", fmt::join(outcome.verdict.problems, "; "))
                << "\ntada: hint: this is a bug in tada; please report it.\n";
    return 1;
  }
  if (!line.options.Flag("quiet")) {
    (output == "-" ? console.err : console.out) << fmt::format(
        "{}: {} rows in {} classes, k={}{}\nAudit of the finished file: passed\nMethod: levels; {}\n", output,
        outcome.verdict.rows, outcome.verdict.classes, outcome.verdict.k,
        outcome.plan.sensitive.empty() ? "" : fmt::format(", l={}", outcome.verdict.l), LossWords(outcome.score));
  }
  return 0;
}

Result<AdviseOptions> OptionsFrom(const OptionValues& values) {
  AdviseOptions options;
  options.coverage = values.Real("coverage", 5);
  options.min_k = static_cast<uint64_t>(values.Integer("min-k", 2));
  options.max_pairs = static_cast<uint64_t>(values.Integer("pairs", 4'000'000'000));
  options.max_rules = static_cast<size_t>(values.Integer("max-rules", 1'000'000));
  options.all_levels = values.Flag("all-levels");
  options.validate_all = values.Flag("validate-all");
  if (values.Has("validate")) options.tree = options.svm = false;
  for (const std::string& name : values.List("validate")) {
    if (name == "tree")
      options.tree = true;
    else if (name == "svm")
      options.svm = true;
    else if (name != "none")
      return InvalidArgument("--validate takes tree, svm or none, not '{}'", name);
  }
  options.baselines =
      values.Has("baselines") ? values.List("baselines") : std::vector<std::string>{"mondrian", "datafly"};
  std::erase(options.baselines, "none");
  for (const std::string& name : options.baselines) {
    if (FindMethod(name) == nullptr) return InvalidArgument("--baselines names a method that does not exist: {}", name);
  }
  return options;
}

// What an interrupted run had finished, beside the output: which run it was, and the accuracies by level vector.
class ResumeFile {
 public:
  ResumeFile(std::string path, std::string run) : path_(std::move(path)), run_(std::move(run)) {}

  void Load(ValidationCache& cache) const {
    std::ifstream stream(path_, std::ios::binary);
    if (!stream) return;
    const auto json = nlohmann::json::parse(stream, nullptr, false);
    if (!json.is_object() || json.value("run", "") != run_ || !json.contains("validated"))
      return;  // of another run: begins anew
    for (const auto& entry : json["validated"]) {
      Validated found;
      if (entry.contains("tree")) found.tree = entry["tree"].get<double>();
      if (entry.contains("svm")) found.svm = entry["svm"].get<double>();
      cache.Set(entry["levels"].get<LevelVector>(), found);
    }
  }
  Status Save(const ValidationCache& cache) const {
    nlohmann::json json = {{"run", run_}, {"validated", nlohmann::json::array()}};
    for (const auto& [levels, found] : cache.all()) {
      nlohmann::json entry = {{"levels", levels}};
      if (found.tree) entry["tree"] = *found.tree;
      if (found.svm) entry["svm"] = *found.svm;
      json["validated"].push_back(std::move(entry));
    }
    return WriteWhole(path_, true, json.dump() + "\n");
  }
  void Remove() const { std::remove(path_.c_str()); }

 private:
  std::string path_, run_;
};

// Where no rule is anonymous enough: says how many there are, and what to try.
std::string NothingFound(const Advice& advice, const AdviseOptions& options, const AdviceSource& source) {
  return fmt::format(
      "{}: {} rows, {} pairs of different {}\nNo way to recode keeps {} percent of them apart with k of {} or more; of "
      "{} "
      "rules found none has it.\nTry a lower --coverage, or --all-levels.\n",
      source.input, advice.rows, advice.pairs, advice.label, options.coverage, options.min_k, advice.found);
}

std::string Summary(const Advice& advice, const AdviceSource& source) {
  size_t frontier = 0, missed = 0;
  const bool diverse = !advice.rules.empty() && advice.rules.front().l.has_value();
  std::vector<std::vector<std::string>> rows = {{"id", "k", "l", "accuracy", "tree", "svm", "gain", "released"}};
  const auto percent = [](const std::optional<double>& x) {
    return x ? fmt::format("{:.1f}%", 100 * *x) : std::string();
  };
  for (const AdvisedRule& rule : advice.rules) {
    missed += rule.meets ? 0 : 1;
    if (!rule.frontier) continue;
    if (++frontier > 30) continue;
    std::vector<std::string> columns;
    for (size_t c = 0; c < rule.levels.size(); ++c) {
      if (rule.levels[c] + size_t{1} < advice.columns[c].nodes.size())
        columns.push_back(fmt::format("{}={}", advice.columns[c].name, rule.levels[c]));
    }
    rows.push_back({rule.id, fmt::format("{}", rule.k), rule.l ? fmt::format("{}", *rule.l) : "",
                    percent(rule.accuracy), percent(rule.validated.tree), percent(rule.validated.svm),
                    fmt::format("{:.4f}", rule.information_gain), fmt::format("{}", fmt::join(columns, " "))});
  }
  std::string text = fmt::format(
      "{}: {} rows, {} pairs of different {}\n{} {} to recode, {} of them on the frontier of k, accuracy and "
      "information gain:\n\n",
      source.input, advice.rows, advice.pairs, advice.label, advice.rules.size(),
      advice.rules.size() == 1 ? "way" : "ways", frontier);
  std::vector<bool> right = {false, true, true, true, true, true, true, false};
  if (!diverse) {
    right.erase(right.begin() + 2);
    for (auto& row : rows) row.erase(row.begin() + 2);
  }
  text += AlignColumns(rows, right);
  if (missed > 0)
    text += fmt::format("\n{} of them miss the l that is asked and cannot be released; the file marks them.\n", missed);
  if (advice.raw_tree)
    text += fmt::format("\nA tree on the raw columns: {:.1f}%; the commonest {}: {:.1f}%\n", 100 * *advice.raw_tree,
                        advice.label, 100 * advice.majority);
  if (advice.sampled_rows > 0)
    text +=
        fmt::format("Rules come from a sample of {} rows (--pairs); k and accuracy from all.\n", advice.sampled_rows);
  if (!source.file.empty() && source.file != "-") {
    text += fmt::format("\nTo release one, audited:\n  tada advise --choose <id> --from {} -o <output>\n",
                        ShellQuote(source.file));
  }
  return text;
}

// The plan of a command line; all columns but the label are quasi-identifiers if none is named.
Result<Plan> AdvisePlan(const ParsedCommandLine& line, const std::string& input) {
  // Hierarchies are of quasi-identifiers, which may only be known once the header is read.
  ParsedCommandLine without = line;
  without.options = {};
  for (const auto& [name, values] : line.options.all()) {
    if (name != "hierarchy") without.options.Set(name, values);
  }
  TADA_TRY(plan, DraftFromCommandLine(without));
  if (plan.label.size() > 1) return InvalidArgument("advise takes one --label, not {}", plan.label.size());
  if (plan.label.empty()) {
    return InvalidArgument("--label is missing: which column will a model predict?")
        .WithHint("For example: tada advise people.csv --label income");
  }
  TADA_TRY(header, ReadHeader(input, plan.delimiter));
  TADA_CHECK_OK(CheckInputColumns(plan, header, input));
  if (plan.quasi.empty()) {
    const auto taken = [&](const std::string& name) {
      for (const auto* list : {&plan.label, &plan.sensitive, &plan.keep}) {
        for (const PlannedColumn& column : *list) {
          if (column.name == name) return true;
        }
      }
      return name == plan.controller_column;
    };
    std::vector<std::string> quasi;
    for (const std::string& name : header) {
      if (!taken(name)) quasi.push_back(PlannedColumnText({.name = name}, false));
    }
    ParsedCommandLine with = line;
    with.options.Set("quasi", quasi);
    TADA_TRY(whole, DraftFromCommandLine(with));
    plan = std::move(whole);
  } else {
    TADA_TRY(whole, DraftFromCommandLine(line));
    plan = std::move(whole);
  }
  if (!plan.label[0].kind) plan.label[0].kind = Kind::kCategorical;  // 0 and 1 are classes here
  plan.method = "levels";
  TADA_CHECK_OK(CheckPlan(plan));
  return plan;
}

// Of the input and of every hierarchy that the plan names as a file or in a folder: results are those of other files no more.
Result<std::string> FileDigests(const std::string& input, const Plan& plan) {
  namespace fs = std::filesystem;
  std::vector<std::string> files{input};
  if (fs::is_directory(plan.hierarchies)) {
    for (const auto& entry : fs::directory_iterator(plan.hierarchies)) files.push_back(entry.path().string());
  }
  files.push_back(plan.hierarchies);
  for (const PlannedColumn& column : plan.quasi) files.push_back(column.hierarchy);
  std::sort(files.begin(), files.end());
  std::string digests;
  for (const std::string& file : files) {
    if (!fs::is_regular_file(file)) continue;  // a builder
    TADA_TRY(digest, FileSha256(file));
    digests += digest + "\n";
  }
  return digests;
}

Result<int> RunAdvise(const ParsedCommandLine& line, Console& console) {
  if (line.options.Has("choose")) return RunChoose(line, console);
  if (line.operands.empty())
    return InvalidArgument("The input is missing")
        .WithHint("For example: tada advise people.csv --label income -o advice.json");
  const std::string& input = line.operands[0];
  if (input == "-") return InvalidArgument("advise reads its input twice, so it takes a file, not standard input");
  TADA_TRY(options, OptionsFrom(line.options));
  TADA_TRY(plan, AdvisePlan(line, input));
  AdviceSource source;
  source.input = input;
  source.file = line.options.Text("output");
  source.command = CommandText(line);
  const std::string report = line.options.Text("report");
  const bool force = line.options.Flag("force"), resume = line.options.Flag("resume");
  if (resume && (source.file.empty() || source.file == "-"))
    return InvalidArgument("--resume needs -o <file>: what is finished is kept beside it");
  if (!report.empty() && report == source.file)
    return InvalidArgument("-o and --report name the same file: {}", report);
  if (!source.file.empty())
    TADA_CHECK_OK(PendingFile::Open(source.file, force));  // refused before the work, not after it
  TADA_CHECK_OK(CheckReportFile(report, force));
  const Workers workers(plan.threads, &console.cancel);
  TADA_TRY(file, ReadTable(input, PlannedReadOptions(plan), workers, console.progress));
  ValidationCache cache;
  std::optional<ResumeFile> kept;
  if (resume) {
    TADA_TRY(digests, FileDigests(input, plan));
    kept.emplace(source.file + ".partial", digests + PlanToToml(plan));
    kept->Load(cache);
  }
  std::optional<Advice> advice;
  try {
    TADA_TRY(made, Advise(file.table, plan, options, cache, workers, console.progress));
    advice = std::move(made);
  } catch (const Interrupted&) {
    if (kept) TADA_CHECK_OK(kept->Save(cache));
    throw;
  }
  console.progress.Clear();
  const std::string json = AdviceJson(*advice, plan, options, source);
  if (!source.file.empty() && source.file != "-") TADA_CHECK_OK(WriteWhole(source.file, force, json));
  TADA_CHECK_OK(WriteReportFile(
      report, force, [&] { return std::string(json); }, [&] { return AdviceHtml(*advice, plan, options, source); }));
  if (kept) kept->Remove();
  if (line.options.Flag("json") || source.file == "-") {
    console.out << json;
  } else if (!line.options.Flag("quiet")) {
    console.out << (advice->rules.empty() ? NothingFound(*advice, options, source) : Summary(*advice, source));
    if (!report.empty()) console.out << "Report: " << report << '\n';
  }
  return 0;
}

}  // namespace

Command MakeAdviseCommand() {
  return {
      .name = "advise",
      .summary = "show ways to recode whole columns: how anonymous, how useful",
      .description =
          "Find the sensible ways to recode the columns of a table by hierarchies, with the k of each, how well the "
          "label can still be predicted and how much is known about it; mark those that no other beats, and release "
          "the one "
          "that "
          "is chosen, audited.",
      .usage = "<input> --label <column> [options], or --choose <id> --from <advice.json> -o <output>",
      .min_operands = 0,
      .max_operands = 1,
      .examples =
          {{"All columns but the label are quasi-identifiers unless --quasi names them",
            "tada advise people.csv --label income --hierarchies hierarchies/ -o advice.json --report advice.html"},
           {"Release the rule that was chosen on the page", "tada advise --choose r17 --from advice.json -o out.csv"}},
      .exits = CommonExits({{0, "advised, or released and audited"}, {1, "the audit failed: nothing was released"}}),
      .run = &RunAdvise};
}

}  // namespace tada
