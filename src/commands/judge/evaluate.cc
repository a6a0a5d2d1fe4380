#include "commands/judge/evaluate.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "commands/context/memory_size.h"
#include "commands/context/report_file.h"
#include "partition/registry.h"
#include "plan/plan_columns.h"
#include "plan/policy.h"
#include "report/evaluate_report.h"
#include "run/anonymize/anonymize.h"
#include "run/read_options.h"
#include "run/read_release.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr std::string_view kGridOptions[] = {"methods", "k", "l", "method", "encoding"};

Result<std::vector<int64_t>> Integers(const OptionValues& values, std::string_view name,
                                      const std::vector<int64_t>& otherwise) {
  if (!values.Has(name)) return otherwise;
  std::vector<int64_t> numbers;
  for (const std::string& text : values.List(name)) {
    const auto number = ParseNumber(text);
    if (!number || *number < 1 || *number != static_cast<double>(static_cast<int64_t>(*number))) {
      return InvalidArgument("-{} takes whole numbers from 1 on, separated by commas, not '{}'", name, text);
    }
    numbers.push_back(static_cast<int64_t>(*number));
  }
  if (numbers.empty()) return InvalidArgument("-{} has no number", name);
  return numbers;
}

// The methods to compare: those that are listed, or the one of --method or a plan beside the raw table and plain Mondrian.
std::vector<std::string> MethodsFrom(const OptionValues& values) {
  if (values.Has("methods")) return values.List("methods");
  std::vector<std::string> methods = {"raw", "mondrian"};
  const std::string own = values.Has("method") ? values.Text("method") : "ta_da";
  if (own != "mondrian") methods.push_back(own);
  return methods;
}

// What the file says of a method, under what its text in the grid says.
void AddPlannedOptions(const PlanFile& file, EvaluateOptions& options) {
  for (GridMethod& method : options.methods) {
    const auto planned = file.methods.find(method.name);
    if (planned == file.methods.end()) continue;
    OptionValues all = planned->second;
    all.Override(method.options);
    method.options = std::move(all);
  }
  for (const auto& [name, planned] : file.methods) {
    for (const auto& [option, given] : planned.all())
      options.planned += fmt::format("{}:{}={}\n", name, option, fmt::join(given, ","));
  }
}

// Methods that are not ours, behind those that are.
Status AddExternals(const OptionValues& values, Files& files, EvaluateOptions& options) {
  TADA_TRY(releases, NamedItems("release", values.List("release")));
  TADA_TRY(programs, NamedItems("run", values.List("run")));
  for (const auto& [name, path] : releases) {
    options.externals.push_back(ReleasedFile(name, path, files));
    options.planned += fmt::format("release {}={}\n", name, path);
  }
  for (const auto& [name, command] : programs) {
    TADA_TRY(program, Program(name, command, files));
    options.externals.push_back(std::move(program));
    options.planned += fmt::format("run {}={}\n", name, command);
  }
  return Ok();
}

// Puts them among the methods of the grid.
Status NameExternals(EvaluateOptions& options) {
  for (size_t i = 0; i < options.externals.size(); ++i) {
    const std::string& name = options.externals[i].name;
    if (name == "raw" || FindMethod(name) != nullptr ||
        std::ranges::find(options.methods, name, &GridMethod::text) != options.methods.end()) {
      return InvalidArgument("Two methods of the grid have the name {}", name).WithHint("Give yours another name.");
    }
    options.methods.push_back({.text = name, .name = name, .options = {}, .external = i});
  }
  return Ok();
}

Result<EvaluateOptions> OptionsFrom(const EvaluateRequest& request, Files& files, bool regression) {
  const PlanFile& file = request.plan_file;
  const OptionValues& line = request.values;
  if (line.Has("method") && line.Has("methods")) {
    return InvalidArgument(TADA_OPTION("method") " and " TADA_OPTION("methods") " cannot go together")
        .WithHint("Name it in " TADA_OPTION("methods") ", with the others.");
  }
  OptionValues values = file.values;
  values.Override(line);
  EvaluateOptions options;
  for (const std::string& text : MethodsFrom(values)) {
    TADA_TRY(method, ParseGridMethod(text));
    options.methods.push_back(std::move(method));
  }
  AddPlannedOptions(file, options);
  TADA_CHECK_OK(AddExternals(values, files, options));
  options.externals.insert(options.externals.end(), request.externals.begin(), request.externals.end());
  TADA_CHECK_OK(NameExternals(options));
  options.outside = request.outside;
  TADA_TRY(k, Integers(values, "k", options.k));
  TADA_TRY(l, Integers(values, "l", options.l));
  options.k = std::move(k);
  options.l = std::move(l);
  options.seeds = static_cast<uint32_t>(values.Integer("seeds", options.seeds));
  options.protocol = values.Text("protocol") == "released-test" ? Protocol::kReleasedTest : Protocol::kRawTest;
  for (const Encoding encoding : kEncodings) {
    if (values.Text("encoding") == EncodingName(encoding)) options.encoding = encoding;
  }
  if (regression) options.learners = {Learner::kTree, Learner::kRidge};
  if (values.Has("learners")) {
    options.learners.clear();
    for (const std::string& name : values.List("learners")) {
      TADA_TRY(learner, FindLearner(name));
      options.learners.push_back(learner);
    }
  }
  options.clusters = static_cast<uint32_t>(values.Integer("raw-clusters", options.clusters));
  if (values.Has("memory")) {
    TADA_TRY(memory, MemoryOf(values.Text("memory")));
    options.memory = memory;
  }
  return options;
}

Status CheckEncoding(const OptionValues& values, const EvaluateOptions& options, Task task) {
  if (task == Task::kClustering && values.Has("encoding")) {
    return InvalidArgument(
        TADA_OPTION("encoding") " says how models read cells; " TADA_OPTION("task=clustering") " has no model");
  }
  const bool guesses = options.encoding == Encoding::kDraw || options.encoding == Encoding::kModel ||
                       options.encoding == Encoding::kExpected;
  if (guesses && options.protocol == Protocol::kReleasedTest) {
    return InvalidArgument(TADA_OPTION("encoding={}") " is for raw test rows; " TADA_OPTION(
                               "protocol=released-test") " asks about released ones",
                           EncodingName(options.encoding))
        .WithHint("Leave out " TADA_OPTION("protocol") ", or " TADA_OPTION("encoding") ".");
  }
  return Ok();
}

// The plan of the grid: everything but what it varies.
Result<Plan> GridPlan(const PlanFile& file, const OptionValues& line) {
  OptionValues without;
  for (const auto& [name, values] : line.all()) {
    if (std::ranges::find(kGridOptions, name) == std::end(kGridOptions)) without.Set(name, values);
  }
  TADA_TRY(plan, DraftPlan(file, without));
  plan.method = "mondrian";  // takes any task; the grid names its own
  plan.method_options = {};
  plan.requirement.k = plan.requirement.l = 1;
  TADA_CHECK_OK(CheckPlan(plan));
  return plan;
}

bool IsOfRelease(const EvaluateRow& row) { return row.method != "raw" && row.problem.empty(); }

Status CheckAnyRelease(const std::vector<EvaluateRow>& rows, const EvaluateOptions& options) {
  if (!options.externals.empty()) return Ok();  // that others fail is an answer
  const auto raw = [](const EvaluateRow& row) { return row.method == "raw"; };
  if (std::ranges::all_of(rows, raw) || std::ranges::any_of(rows, IsOfRelease)) return Ok();
  return Infeasible("No release of the grid can meet its requirement: {}", rows.back().problem);
}

// The results while they grow: a CSV on disk, or nothing but memory.
class GrowingResults {
 public:
  GrowingResults(std::string path, std::string run, const EvaluateOptions& options)
      : path_(std::move(path)), run_(std::move(run)), options_(options) {}

  /// Nothing is written before there is a release to speak of: a grid that fails leaves the file as it was.
  Status Open(bool resume, bool force) {
    if (path_.empty()) return Ok();
    if (resume && std::filesystem::exists(path_)) {
      const auto text = ReadWholeFile(path_);
      if (!text.ok()) return IoError("Results cannot be read: {}: {}", path_, text.error().message);
      TADA_TRY(found, ReadResults(*text, run_, path_));
      rows = std::move(found.rows);
      others_ = std::move(found.others);
      return Begin();  // also repairs a last line that was cut off
    }
    TADA_CHECK_OK(PendingFile::Open(path_, force));  // can it be written?
    return Ok();
  }

  Status Add(const std::vector<EvaluateRow>& more) {
    rows.insert(rows.end(), more.begin(), more.end());
    if (path_.empty()) return Ok();
    if (!stream_.is_open()) return std::ranges::any_of(more, IsOfRelease) ? Begin() : Ok();
    for (const EvaluateRow& row : more) stream_ << ResultsLine(run_, options_, row);
    stream_.flush();
    return stream_ ? Ok() : Status(IoError("Results cannot be written: {}", path_));
  }

  // Rows come as they are finished; in the end they stand in the order of the grid, and `rows` has no others. What the file has
  // besides, of other grids, is kept there.
  Status Finish(const std::vector<GridUnit>& units) {
    using Key = std::tuple<std::string, int64_t, int64_t, uint64_t>;
    std::map<Key, std::map<std::string, const EvaluateRow*>> by_unit;  // by learner: a unit that was cut off ran twice
    for (const EvaluateRow& row : rows) by_unit[{row.method, row.k, row.l, row.seed}][row.learner] = &row;
    std::vector<EvaluateRow> ordered;
    for (const GridUnit& unit : units) {
      const auto found = by_unit.find({options_.methods[unit.method].text, unit.k, unit.l, unit.seed});
      if (found == by_unit.end()) continue;
      for (const auto& [learner, row] : found->second) ordered.push_back(*row);
      by_unit.erase(found);
    }
    std::vector<EvaluateRow> kept = ordered;
    for (const auto& [unit, by_learner] : by_unit) {
      for (const auto& [learner, row] : by_learner) kept.push_back(*row);
    }
    TADA_CHECK_OK(CheckAnyRelease(ordered, options_));
    if (!path_.empty()) TADA_CHECK_OK(WriteAll(kept));
    rows = std::move(ordered);
    return Ok();
  }

  std::vector<EvaluateRow> rows;

 private:
  Status Begin() {
    TADA_CHECK_OK(WriteAll(rows));
    stream_.open(path_, std::ios::binary | std::ios::app);
    return stream_ ? Ok() : Status(IoError("Results cannot be written: {}", path_));
  }
  Status WriteAll(const std::vector<EvaluateRow>& all) const {  // whether the file may be replaced, Open has asked
    std::string text = ResultsHeader() + others_;
    for (const EvaluateRow& row : all) text += ResultsLine(run_, options_, row);
    return WriteWhole(path_, true, text);
  }

  std::string path_, run_, others_;
  const EvaluateOptions& options_;
  std::ofstream stream_;
};

// What the methods of the grid are compared with; without a word of the user plain Mondrian, there or not.
Result<std::string> BaselineOf(const OptionValues& values, const EvaluateOptions& options) {
  if (!values.Has("baseline")) return std::string("mondrian");
  std::vector<std::string> methods;
  for (const GridMethod& method : options.methods) {
    if (method.name != "raw") methods.push_back(method.text);
  }
  const std::string baseline = values.Text("baseline");
  if (std::ranges::find(methods, baseline) != methods.end()) return baseline;
  return InvalidArgument(TADA_OPTION("baseline") " is no method of the grid: {}", baseline)
      .WithHint(fmt::format("Name one as " TADA_OPTION("methods") " has it: {}.", fmt::join(methods, ", ")));
}

}  // namespace

Result<EvaluateRequest> EvaluateRequestFrom(const PlanFile& file, const OptionValues& options) {
  EvaluateRequest request;
  TADA_TRY(plan, GridPlan(file, options));
  request.plan_file = file;
  request.values = options;
  request.plan = std::move(plan);
  TADA_CHECK_OK(RefuseProtection(request.plan, "evaluate"));
  request.output = options.Text("output");
  request.report = options.Text("report");
  request.force = options.Flag("force");
  request.resume = options.Flag("resume");
  if (!request.output.empty() && !request.grows() && !request.output.ends_with(".json")) {
    return InvalidArgument(TADA_OPTION("-o") " ends in .csv or .json, not: {}", request.output);
  }
  if (request.resume && !request.grows()) {
    return InvalidArgument(TADA_OPTION("resume") " needs " TADA_OPTION("-o=<file.csv>") ": what is finished is there");
  }
  return request;
}

Result<EvaluateResult> Evaluate(const EvaluateRequest& request, Source& table, Context& context) {
  const Plan& plan = request.plan;
  const bool replaces = request.force || request.resume;
  TADA_CHECK_OK(CheckReportFile(request.report, replaces));
  if (!request.output.empty() && !request.grows()) TADA_CHECK_OK(PendingFile::Open(request.output, request.force));
  const Workers workers(plan.threads, &context.cancel);
  TADA_TRY(file, ReadPlanned(table, plan, workers, context.progress));
  TADA_TRY(bound, BindPlan(plan, file.table));
  TADA_TRY(options, OptionsFrom(request, context.files, bound.task == Task::kRegression));
  EvaluateResult result;
  result.task = bound.task;
  TADA_TRY(baseline, BaselineOf(request.values, options));
  result.baseline = std::move(baseline);
  TADA_CHECK_OK(CheckEncoding(request.values, options, bound.task));
  if (plan.sensitive.empty() && std::ranges::max(options.l) > 1) {
    return InvalidArgument(
        TADA_OPTION("-l") " above 1 needs " TADA_OPTION("sensitive") ": which column has the values");
  }
  TADA_CHECK_OK(CheckGrid(file.table, plan, options));
  GrowingResults results(request.grows() ? request.output : "", RunName(table.Stamp(), plan, options), options);
  TADA_CHECK_OK(results.Open(request.resume, request.force));
  const std::vector<GridUnit> units = GridUnits(plan, options);
  const std::vector<GridUnit> left = UnitsLeft(units, options, bound.task, results.rows);
  TADA_CHECK_OK(RunGrid(file.table, plan, options, left, &context.cancel, context.progress,
                        [&](const GridUnit&, const std::vector<EvaluateRow>& rows) { return results.Add(rows); }));
  context.progress.Clear();
  TADA_CHECK_OK(results.Finish(units));
  result.rows = std::move(results.rows);
  result.summaries = Summarize(result.rows, options, bound.task, result.baseline);
  result.json = EvaluateJson(result.summaries, result.rows, plan, options, bound.task, result.baseline);
  if (!request.output.empty() && !request.grows())
    TADA_CHECK_OK(WriteWhole(request.output, request.force, OnCommandLine(result.json)));
  TADA_CHECK_OK(WriteReportFile(
      request.report, replaces, [&] { return result.json; },
      [&] {
        return EvaluateHtml(result.summaries, options, bound.task, result.baseline, {table.name(), request.command});
      }));
  result.options = std::move(options);
  return result;
}

}  // namespace tada
