#include "commands/release/advise.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "commands/context/report_file.h"
#include "partition/registry.h"
#include "plan/plan_columns.h"
#include "plan/policy.h"
#include "run/protect/input_notes.h"
#include "run/read_options.h"

namespace tada {
namespace {

Result<AdviseOptions> OptionsFrom(const OptionValues& values) {
  AdviseOptions options;
  options.coverage = values.Real("coverage", options.coverage);
  options.min_k = static_cast<uint64_t>(values.Integer("min-k", static_cast<int64_t>(options.min_k)));
  options.max_pairs = static_cast<uint64_t>(values.Integer("pairs", static_cast<int64_t>(options.max_pairs)));
  options.max_rules = static_cast<size_t>(values.Integer("max-rules", static_cast<int64_t>(options.max_rules)));
  options.all_levels = values.Flag("all-levels");
  options.validate_all = values.Flag("validate-all");
  if (values.Has("validate")) options.tree = options.svm = false;
  for (const std::string& name : values.List("validate")) {
    if (name == "tree")
      options.tree = true;
    else if (name == "svm")
      options.svm = true;
    else if (name != "none")
      return InvalidArgument(TADA_OPTION("validate") " takes tree, svm or none, not '{}'", name);
  }
  if (values.Has("baselines")) options.baselines = values.List("baselines");
  std::erase(options.baselines, "none");
  for (const std::string& name : options.baselines) {
    if (FindMethod(name) == nullptr)
      return InvalidArgument(TADA_OPTION("baselines") " names a method that does not exist: {}", name);
  }
  return options;
}

Result<JointOptions> JointOptionsFrom(const OptionValues& values, uint64_t min_k) {
  JointOptions options;
  options.min_k = min_k;
  options.wide = values.Flag("wide");
  if (values.Has("methods")) options.methods = values.List("methods");
  std::erase(options.methods, "none");
  for (const std::string& name : options.methods) {
    if (FindMethod(name) == nullptr)
      return InvalidArgument(TADA_OPTION("methods") " names a method that does not exist: {}", name);
    if (name == "levels" || name == "auto") {
      return InvalidArgument(TADA_OPTION("methods") ": {} is no method of its own here", name)
          .WithHint("All level vectors are candidates anyway; name methods that form groups.");
    }
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

// The values without the hierarchies: these are of quasi-identifiers, which may only be known once the header is read.
OptionValues WithoutHierarchies(const OptionValues& values) {
  OptionValues without;
  for (const auto& [name, given] : values.all()) {
    if (name != "hierarchy") without.Set(name, given);
  }
  return without;
}

bool HasRole(const Plan& plan, const std::string& name) {
  for (const auto* list : {&plan.label, &plan.sensitive, &plan.keep, &plan.person}) {
    for (const PlannedColumn& column : *list) {
      if (column.name == name) return true;
    }
  }
  return name == plan.controller_column || name == plan.requirement.k_column;
}

// The plan of a request; all columns without a role are quasi-identifiers if none is named.
Result<Plan> AdvisePlan(const AdviseRequest& request, Source& table) {
  TADA_TRY(draft, DraftPlan(request.plan_file, WithoutHierarchies(request.values)));
  TADA_CHECK_OK(RefuseProtection(draft, "advise"));
  TADA_CHECK_OK(RefuseRecoding(draft, "advise"));
  if (draft.label.size() > 1)
    return InvalidArgument("advise takes one " TADA_OPTION("label") ", not {}", draft.label.size());
  TADA_TRY(header, table.Header(PlannedLayout(draft)));
  TADA_CHECK_OK(CheckInputColumns(draft, header, table.name()));
  OptionValues values = request.values;
  if (draft.quasi.empty()) {
    std::vector<std::string> quasi;
    for (const std::string& name : header) {
      if (!HasRole(draft, name)) quasi.push_back(PlannedColumnText({.name = name}, false));
    }
    values.Set("quasi", std::move(quasi));
  }
  TADA_TRY(plan, DraftPlan(request.plan_file, values));
  if (!plan.label.empty() && !plan.label[0].kind) plan.label[0].kind = Kind::kCategorical;  // 0 and 1 are classes here
  plan.method = "levels";
  TADA_CHECK_OK(CheckPlan(plan));
  return plan;
}

// Of the table and of every hierarchy that the plan names as a file or in a folder: results are those of other files no more.
Result<std::string> FileDigests(Source& table, const Plan& plan, Files& reader) {
  namespace fs = std::filesystem;
  std::vector<std::string> files{plan.hierarchies};
  if (fs::is_directory(plan.hierarchies)) {
    for (const auto& entry : fs::directory_iterator(plan.hierarchies)) files.push_back(entry.path().string());
  }
  for (const PlannedColumn& column : plan.quasi) files.push_back(column.hierarchy);
  std::sort(files.begin(), files.end());
  TADA_TRY(digests, table.Digest());
  for (const std::string& file : files) {
    if (!fs::is_regular_file(file)) continue;  // a builder
    TADA_TRY(digest, reader.Digest(file));
    digests += "\n" + digest;
  }
  return digests;
}

}  // namespace

Result<AdviseRequest> AdviseRequestFrom(const PlanFile& file, const OptionValues& options) {
  AdviseRequest request;
  TADA_TRY(advise, OptionsFrom(options));
  request.options = std::move(advise);
  TADA_TRY(joint, JointOptionsFrom(options, request.options.min_k));
  request.joint = std::move(joint);
  request.plan_file = file;
  request.values = options;
  request.output = options.Text("output");
  request.report = options.Text("report");
  request.force = options.Flag("force");
  request.resume = options.Flag("resume");
  if (request.resume && (request.output.empty() || request.output == "-"))
    return InvalidArgument(
        TADA_OPTION("resume") " needs " TADA_OPTION("-o=<file>") ": what is finished is kept beside it");
  if (!request.report.empty() && request.report == request.output)
    return InvalidArgument(TADA_OPTION("-o") " and " TADA_OPTION("report") " name the same file: {}", request.report);
  return request;
}

Result<AdviseResult> Advise(const AdviseRequest& request, Source& table, Context& context) {
  AdviseResult result;
  TADA_TRY(plan, AdvisePlan(request, table));
  result.plan = std::move(plan);
  result.source = {table.name(), request.command, request.output};
  const bool has_file = !request.output.empty() && request.output != "-";
  if (!request.output.empty())
    TADA_CHECK_OK(PendingFile::Open(request.output, request.force));  // refused before the work, not after it
  TADA_CHECK_OK(CheckReportFile(request.report, request.force));
  const Workers workers(result.plan.threads, &context.cancel);
  TADA_TRY(file, table.Read(PlannedReadOptions(result.plan), workers, context.progress));
  TADA_CHECK_OK(CheckDecided(file.table, result.plan));
  ValidationCache cache;
  std::optional<ResumeFile> kept;
  if (request.resume) {
    TADA_TRY(digests, FileDigests(table, result.plan, context.files));
    kept.emplace(request.output + ".partial", digests + PlanToToml(result.plan));
    kept->Load(cache);
  }
  try {
    TADA_TRY(ground, Ground::Make(file.table, result.plan, request.options.min_k));
    TADA_TRY(made, Advise(*ground, result.plan, request.options, cache, workers, context.progress));
    result.advice = std::move(made);
    TADA_TRY(joint, FindJoint(*ground, result.advice, result.plan, request.joint, result.source.input, workers,
                              context.progress));
    result.joint = std::move(joint);
  } catch (const Interrupted&) {
    if (kept) TADA_CHECK_OK(kept->Save(cache));
    throw;
  }
  context.progress.Clear();
  result.json = AdviceJson(result.advice, result.joint, result.plan, request.options, result.source);
  if (has_file) TADA_CHECK_OK(WriteWhole(request.output, request.force, OnCommandLine(result.json)));
  TADA_CHECK_OK(WriteReportFile(
      request.report, request.force, [&] { return result.json; },
      [&] { return AdviceHtml(result.advice, result.joint, result.plan, request.options, result.source); }));
  if (kept) kept->Remove();
  return result;
}

Result<ChosenRelease> ChooseRelease(const std::string& advice_path, const std::string& id,
                                    const OptionValues& options) {
  const auto text = ReadWholeFile(advice_path);
  if (!text.ok())
    return InvalidArgument(TADA_OPTION("from") " cannot be read: {}: {}", advice_path, text.error().message);
  TADA_TRY(chosen, ChooseRule(*text, advice_path, id));
  ChosenRelease release;
  release.input = std::move(chosen.input);
  release.request.plan = std::move(chosen.plan);
  if (options.Has("threads")) release.request.plan.threads = static_cast<int>(options.Integer("threads", 0));
  release.request.report = options.Text("report");
  release.request.report_raw = options.Flag("report-raw");
  release.request.force = options.Flag("force");
  return release;
}

}  // namespace tada
