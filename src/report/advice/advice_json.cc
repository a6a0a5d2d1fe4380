// Advice as JSON, and back: a chosen rule as a plan.

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "report/advice/advice_report.h"

namespace tada {
namespace {

constexpr size_t kMostShown = 20;

using Json = nlohmann::ordered_json;

// The levels that a rule names; a column at its top level is left out.
Json NamedLevels(const AdvisedRule& rule, const Advice& advice) {
  Json levels = Json::object();
  for (size_t c = 0; c < rule.levels.size(); ++c) {
    if (rule.levels[c] + size_t{1} < advice.columns[c].nodes.size()) levels[advice.columns[c].name] = rule.levels[c];
  }
  return levels;
}

Json RuleJson(const AdvisedRule& rule, const Advice& advice) {
  Json json = {{"id", rule.id},
               {"levels", NamedLevels(rule, advice)},
               {"words", rule.words},
               {"k", rule.k},
               {"accuracy", rule.accuracy},
               {"information_gain", rule.information_gain},
               {"frontier", rule.frontier},
               {"origin", rule.origin},
               {"classes", rule.classes}};
  if (rule.l) json["l"] = *rule.l;
  if (rule.controller_k) json["controller_k"] = *rule.controller_k;
  if (rule.l || rule.controller_k) json["meets"] = rule.meets;
  if (rule.validated.tree) json["tree_accuracy"] = *rule.validated.tree;
  if (rule.validated.svm) json["svm_accuracy"] = *rule.validated.svm;
  if (rule.best_gain) json["best_information_gain_of_k"] = *rule.best_gain;
  if (rule.best_accuracy) json["best_accuracy_of_k"] = *rule.best_accuracy;
  return json;
}

// A rule that is marked as missing l cannot be released; says so, and which could.
Status CheckMeets(const Json& rule, const Json& advice) {
  if (rule.value("meets", true)) return Ok();
  std::vector<std::string> others;
  for (const Json& other : advice["rules"]) {
    if (other.is_object() && other.value("meets", false) && other.value("frontier", false) && others.size() < 5)
      others.push_back(other.value("id", ""));
  }
  return Infeasible("Rule {} misses the l that the advice was asked for: it reaches l={}", rule.value("id", ""),
                    rule.value("l", uint64_t{1}))
      .WithHint(others.empty() ? "No rule reaches it: lower -l, or --min-k and --coverage, and ask again."
                               : fmt::format("Choose one that has it: {}.", fmt::join(others, ", ")));
}

}  // namespace

std::string AdviceJson(const Advice& advice, const Plan& plan, const AdviseOptions& options,
                       const AdviceSource& source) {
  Json json;
  json["tada"] = std::string(kVersion);
  json["input"] = source.input;
  json["command"] = source.command;
  json["label"] = advice.label;
  json["rows"] = advice.rows;
  json["coverage"] = options.coverage;
  json["min_k"] = options.min_k;
  if (!plan.sensitive.empty())
    json["requirement"] = {{"l", plan.requirement.l}, {"diversity", DiversityName(plan.requirement)}};
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
  for (const Advice::Column& column : advice.columns)
    json["columns"].push_back({{"name", column.name}, {"labels_by_level", column.nodes}});
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
  for (const auto& [stage, spent] : advice.seconds) json["seconds"][stage] = spent;
  json["plan"] = PlanToToml(plan);
  return json.dump(1) + "\n";
}

Result<ChosenRule> ChooseRule(std::string_view text, const std::string& path, const std::string& id) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("rules") || !json["rules"].is_array() || !json.contains("plan") ||
      !json["plan"].is_string() || !json.contains("input") || !json["input"].is_string()) {
    return InvalidArgument("--from takes a file that 'tada advise -o' wrote: {}", path);
  }
  for (const Json& rule : json["rules"]) {
    if (!rule.is_object() || rule.value("id", "") != id) continue;
    if (!rule.contains("levels") || !rule["levels"].is_object() || !rule.contains("k") ||
        !rule["k"].is_number_unsigned()) {
      return InvalidArgument("Rule {} of {} is damaged", id, path);
    }
    TADA_CHECK_OK(CheckMeets(rule, json));
    TADA_TRY(file, ParsePlanFile(json["plan"].get<std::string>(), path));
    TADA_TRY(plan, DraftPlan(file, {}));
    plan.method = "levels";
    // With several controllers each one's rows have a k of their own, and that is what can be held.
    plan.requirement.k = rule.value("controller_k", rule["k"].get<int64_t>());
    std::vector<std::string> levels;
    for (const auto& [column, level] : rule["levels"].items()) {
      if (!level.is_number_unsigned()) return InvalidArgument("Rule {} of {} is damaged", id, path);
      levels.push_back(fmt::format("{}={}", column, level.get<unsigned>()));
    }
    plan.method_options = {};
    plan.method_options.Set("levels", std::move(levels));
    TADA_CHECK_OK(CheckPlan(plan));
    return ChosenRule{json["input"].get<std::string>(), std::move(plan)};
  }
  std::vector<std::string> known;
  for (const auto& rule : json["rules"]) {
    if (rule.is_object()) known.push_back(rule.value("id", ""));
  }
  if (known.size() > kMostShown) known.resize(kMostShown), known.emplace_back("...");
  return InvalidArgument("{} has no rule '{}'", path, id)
      .WithHint(fmt::format("There are: {}.", fmt::join(known, ", ")));
}

}  // namespace tada
