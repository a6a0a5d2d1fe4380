// Advice as JSON, and back: a chosen rule or candidate as a plan.

#include <nlohmann/json.hpp>

#include "base/option_mark.h"
#include "base/version.h"
#include "report/advice/advice_report.h"

namespace tada {
namespace {

constexpr size_t kMostShown = 20;

using Json = nlohmann::ordered_json;

// The levels that a rule names; a column at its top level is left out.
Json NamedLevels(const LevelVector& of_columns, const Advice& advice) {
  Json levels = Json::object();
  for (size_t c = 0; c < of_columns.size(); ++c) {
    if (of_columns[c] + size_t{1} < advice.columns[c].nodes.size()) levels[advice.columns[c].name] = of_columns[c];
  }
  return levels;
}

Json RuleJson(const AdvisedRule& rule, const Advice& advice) {
  Json json = {{"id", rule.id},
               {"levels", NamedLevels(rule.levels, advice)},
               {"words", rule.words},
               {"k", rule.k},
               {"accuracy", rule.accuracy},
               {"information_gain", rule.information_gain},
               {"frontier", rule.frontier},
               {"origin", rule.origin},
               {"classes", rule.classes}};
  if (rule.l) json["l"] = *rule.l;
  if (rule.controller_k) json["controller_k"] = *rule.controller_k;
  if (rule.asked_k) json["asked_k"] = *rule.asked_k;
  if (rule.l || rule.controller_k || rule.asked_k || !rule.meets) json["meets"] = rule.meets;
  if (rule.validated.tree) json["tree_accuracy"] = *rule.validated.tree;
  if (rule.validated.svm) json["svm_accuracy"] = *rule.validated.svm;
  if (rule.best_gain) json["best_information_gain_of_k"] = *rule.best_gain;
  if (rule.best_accuracy) json["best_accuracy_of_k"] = *rule.best_accuracy;
  return json;
}

Json CandidateJson(const Candidate& candidate, const Advice& advice) {
  Json json = {{"id", candidate.id},         {"origin", candidate.origin},
               {"method", candidate.method}, {"asked_k", candidate.asked_k},
               {"k", candidate.k},           {"highest_risk", 1.0 / static_cast<double>(candidate.k)}};
  if (candidate.suppress > 0) json["suppress"] = candidate.suppress;
  if (candidate.origin != "method") json["levels"] = NamedLevels(candidate.levels, advice);
  if (candidate.accuracy) json["accuracy"] = *candidate.accuracy;
  if (candidate.information_gain) json["information_gain"] = *candidate.information_gain;
  if (candidate.tree) json["tree_accuracy"] = *candidate.tree;
  if (candidate.svm) json["svm_accuracy"] = *candidate.svm;
  json["ncp"] = candidate.ncp;
  json["query_error"] = candidate.query_error;
  if (candidate.l) json["l"] = *candidate.l;
  json["classes"] = candidate.classes;
  if (candidate.masked > 0) json["masked"] = candidate.masked;
  json["words"] = candidate.words;
  json["frontier"] = candidate.frontier;
  if (!candidate.beaten_by.empty()) json["beaten_by"] = candidate.beaten_by;
  if (!candidate.same_as.empty()) json["same_as"] = candidate.same_as;
  if (!candidate.cells.empty()) json["first_row"] = candidate.cells;
  if (!candidate.command.empty()) json["command"] = candidate.command;
  return json;
}

// The joint frontier: objectives, places to start, candidates, and what was not looked at.
void AddJoint(const Advice& advice, const Joint& joint, Json& json) {
  json["objectives"] =
      advice.label.empty() ? Json{"k", "ncp", "query_error"} : Json{"k", "accuracy", "information_gain"};
  json["needed_k"] = joint.need;
  json["places"] = Json::array();
  for (const Place& place : joint.places)
    json["places"].push_back({{"name", place.name}, {"id", place.id}, {"words", place.words}});
  json["search"] = {{"all_level_vectors_from_k", joint.vectors_min_k},
                    {"wide_would_add", joint.not_tried},
                    {"left_out", joint.left_out}};
  json["candidates"] = Json::array();
  for (const Candidate& candidate : joint.candidates) json["candidates"].push_back(CandidateJson(candidate, advice));
}

// The plan of a candidate that an advice file describes; `json` is an entry of "rules" or "candidates".
Result<Plan> PlanFrom(const Json& json, const Json& advice, const std::string& path, const std::string& id) {
  const auto damaged = [&] { return InvalidArgument("Candidate {} of {} is damaged", id, path); };
  TADA_TRY(file, ParsePlanFile(advice["plan"].get<std::string>(), path));
  TADA_TRY(plan, DraftPlan(file, {}));
  if (json.contains("method") && !json["method"].is_string()) return damaged();
  plan.method = json.value("method", "levels");
  plan.method_options = {};
  for (const char* name : {"k", "asked_k", "controller_k", "suppress"}) {
    if (json.contains(name) && !json[name].is_number_integer()) return damaged();
  }
  // With several controllers each one's rows have a k of their own, and that is what can be held.
  if (!json.contains("k")) return damaged();
  plan.requirement.k = json.value("asked_k", json.value("controller_k", json["k"].get<int64_t>()));
  if (json.contains("suppress"))
    plan.method_options.Set("suppress", {fmt::format("{}", json["suppress"].get<int64_t>())});
  if (plan.method != "levels") return plan;
  if (!json.contains("levels") || !json["levels"].is_object()) return damaged();
  std::vector<std::string> levels;
  for (const auto& [column, level] : json["levels"].items()) {
    if (!level.is_number_unsigned()) return damaged();
    levels.push_back(fmt::format("{}={}", column, level.get<unsigned>()));
  }
  plan.method_options.Set("levels", std::move(levels));
  return plan;
}

// A rule that is marked as missing l cannot be released; says so, and which could.
Status CheckMeets(const Json& rule, const Json& advice) {
  if (rule.value("meets", true)) return Ok();
  std::vector<std::string> others;
  for (const Json& other : advice["rules"]) {
    if (other.is_object() && other.value("meets", false) && other.value("frontier", false) && others.size() < 5)
      others.push_back(other.value("id", ""));
  }
  if (!rule.contains("l")) {
    return Infeasible("Rule {} misses what the advice was asked for besides k", rule.value("id", ""))
        .WithHint("Choose one of 'candidates': each meets it.");
  }
  return Infeasible("Rule {} misses the l that the advice was asked for: it reaches l={}", rule.value("id", ""),
                    rule.value("l", uint64_t{1}))
      .WithHint(others.empty() ? "No rule reaches it: lower " TADA_OPTION("-l") ", or " TADA_OPTION(
                                     "min-k") " and " TADA_OPTION("coverage") ", and ask again."
                               : fmt::format("Choose one that has it: {}.", fmt::join(others, ", ")));
}

void AddLabel(const Advice& advice, Json& json) {
  json["label"] = advice.label;
  json["label_entropy"] = advice.entropy;
  json["accuracy_without_columns"] = advice.majority;
  if (advice.raw_tree) json["raw_tree_accuracy"] = *advice.raw_tree;
  if (advice.raw_tree_in_order) json["raw_tree_accuracy_in_file_order"] = *advice.raw_tree_in_order;
  json["patterns"] = {{"pairs", advice.pairs},
                      {"different", advice.patterns},
                      {"equal_rows_of_different_label", advice.equal_pairs},
                      {"sampled_rows", advice.sampled_rows},
                      {"kept", advice.kept_patterns},
                      {"minimal", advice.minimal_patterns},
                      {"rules", advice.found},
                      {"rules_with_min_k", advice.found_with_k}};
}

// What the first row of the table shows at each level: advice is confidential.
void AddFirstRow(const Advice& advice, Json& json) {
  for (size_t c = 0; c < advice.columns.size(); ++c) {
    Json& shown = json["columns"][c]["first_row_by_level"] = Json::array();
    for (const std::vector<std::string>& level : advice.columns[c].samples) {
      if (!level.empty()) shown.push_back(level.front());
    }
  }
}

}  // namespace

std::string AdviceJson(const Advice& advice, const Joint& joint, const Plan& plan, const AdviseOptions& options,
                       const AdviceSource& source) {
  Json json;
  json["tada"] = std::string(kVersion);
  json["input"] = source.input;
  json["command"] = source.command;
  json["rows"] = advice.rows;
  json["coverage"] = options.coverage;
  json["min_k"] = options.min_k;
  if (!plan.sensitive.empty())
    json["requirement"] = {{"l", plan.requirement.l}, {"diversity", DiversityName(plan.requirement)}};
  if (!advice.label.empty()) AddLabel(advice, json);
  for (const Advice::Column& column : advice.columns)
    json["columns"].push_back({{"name", column.name}, {"labels_by_level", column.nodes}});
  AddFirstRow(advice, json);
  json["rules"] = Json::array();
  for (const AdvisedRule& rule : advice.rules) json["rules"].push_back(RuleJson(rule, advice));
  json["baselines"] = Json::array();
  for (const Baseline& b : advice.baselines) {
    json["baselines"].push_back({{"method", b.method},
                                 {"asked_k", b.asked_k},
                                 {"k", b.k},
                                 {"classes", b.classes},
                                 {"accuracy", b.accuracy},
                                 {"information_gain", b.information_gain}});
  }
  AddJoint(advice, joint, json);
  for (const auto* parts : {&advice.seconds, &joint.seconds}) {
    for (const auto& [stage, spent] : *parts) json["seconds"][stage] = spent;
  }
  json["plan"] = PlanToToml(plan);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ChosenRule> ChooseRule(std::string_view text, const std::string& path, const std::string& id) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("rules") || !json["rules"].is_array() || !json.contains("plan") ||
      !json["plan"].is_string() || !json.contains("input") || !json["input"].is_string()) {
    return InvalidArgument(TADA_OPTION("from") " takes a file that 'tada advise -o' wrote: {}", path);
  }
  std::vector<std::string> known;
  for (const char* list : {"rules", "candidates"}) {
    if (!json.contains(list) || !json[list].is_array()) continue;
    for (const Json& one : json[list]) {
      if (!one.is_object() || !one.contains("id") || !one["id"].is_string()) continue;
      if (one["id"] != id) {
        known.push_back(one["id"].get<std::string>());
        continue;
      }
      TADA_CHECK_OK(CheckMeets(one, json));
      TADA_TRY(plan, PlanFrom(one, json, path, id));
      TADA_CHECK_OK(CheckPlan(plan));
      return ChosenRule{json["input"].get<std::string>(), std::move(plan)};
    }
  }
  if (known.size() > kMostShown) known.resize(kMostShown), known.emplace_back("...");
  return InvalidArgument("{} has no rule '{}'", path, id)
      .WithHint(fmt::format("There are: {}.", fmt::join(known, ", ")));
}

}  // namespace tada
