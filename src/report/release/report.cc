#include "report/release/report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "report/release/regulator.h"
#include "report/release/report_words.h"
#include "report/verdict/population_text.h"
#include "report/verdict/requirement_json.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which they are added

Json FactJson(const Fact& fact) {
  return std::visit(
      [](const auto& value) -> Json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<Value, Fact::List>) {
          Json list = Json::array();
          for (const Fact& item : value) list.push_back(FactJson(item));
          return list;
        } else if constexpr (std::is_same_v<Value, Fact::Map>) {
          Json map = Json::object();
          for (const auto& [name, item] : value) map[name] = FactJson(item);
          return map;
        } else {
          return value;
        }
      },
      fact.value());
}

Json ReachedJson(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  Json reached = {{"k", verdict.k},
                  {"l", ReachedL(outcome)},
                  {"rows", verdict.rows},
                  {"masked", verdict.masked_rows},
                  {"groups", verdict.classes},
                  {"largest_group", verdict.largest_class},
                  {"withheld", outcome.withheld_rows}};
  // Cells do not tell a number that is masked beside missing ones from any other masked number.
  if (outcome.report_raw) reached["mixed_missing"] = outcome.mixed_missing;
  if (outcome.withheld_people) reached["withheld_people"] = *outcome.withheld_people;
  if (verdict.people) reached["people"] = *verdict.people;
  if (verdict.linked) reached["linked"] = *verdict.linked;
  AddFurther(verdict, reached);
  return reached;
}

// Losses over the input: spans of raw values, and how many values labels stand for.
void AddInputLoss(const Scorecard& score, Json& json) {
  json["ncp_input"] = score.ncp;
  json["per_column_input"] = Json::object();
  for (const auto& [name, loss] : score.per_column) json["per_column_input"][name] = loss;
  if (!score.ncp_leaves) return;
  json["ncp_leaves"] = *score.ncp_leaves;
  json["per_column_leaves"] = Json::object();
  for (const auto& [name, loss] : score.per_column_leaves) json["per_column_leaves"][name] = loss;
}

Json LossJson(const Outcome& outcome) {
  const Scorecard& score = outcome.score;
  Json per_column = Json::object(), sizes = Json::array();
  for (const auto& [name, loss] : score.per_column) per_column[name] = loss;
  for (const auto& [size, count] : score.group_sizes) sizes.push_back({size, count});
  Json json = {{"ncp", score.ncp},
               {"discernibility", score.discernibility},
               {"average_group", score.average_group},
               {"per_column", per_column},
               {"group_sizes", sizes}};
  if (const auto weighted = WeightedNcp(outcome)) json["ncp_weighted"] = *weighted;
  if (outcome.report_raw) AddInputLoss(outcome.input_score, json);
  if (outcome.report_raw && outcome.least_ncp) json["ncp_least"] = *outcome.least_ncp;
  if (outcome.report_raw && outcome.above_least()) json["above_least"] = *outcome.above_least();
  if (outcome.report_raw && outcome.withheld_rows > 0) json["ncp_with_withheld"] = outcome.ncp_with_withheld();
  if (outcome.plan.recode != "mean") return json;
  json["ncp"] = nullptr;  // means cover nobody: what is lost is their squared error, which the cells do not tell
  for (const char* of_cells :
       {"per_column", "ncp_weighted", "ncp_input", "per_column_input", "ncp_with_withheld", "ncp_least", "above_least"})
    json.erase(of_cells);
  if (outcome.report_raw && outcome.verdict.loss && outcome.verdict.loss->squared_error)
    json["squared_error"] = *outcome.verdict.loss->squared_error;
  return json;
}

Json RiskJson(const AuditRisk& risk) {
  return {{"highest", risk.highest}, {"average", risk.average}, {"share_at_risk", risk.share_at_risk}};
}

Json VerdictJson(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  Json json = {{"passed", verdict.passed},
               {"breaking_groups", verdict.breaking_classes},
               {"breaking_rows", verdict.breaking_rows},
               {"rows_match", verdict.rows_match},
               {"folded", FoldedJson(verdict)},
               {"notes", verdict.notes}};
  Json cover = Json::object();
  for (const ColumnCover& column : verdict.cover) {
    cover[column.column] = {{"covered", column.verified() ? Json(*column.verified()) : Json(nullptr)},
                            {"uncovered_rows", column.uncovered_rows},
                            {"unchecked_rows", column.unchecked_rows}};
    if (outcome.report_raw && !column.example.empty()) cover[column.column]["example"] = column.example;
  }
  json["cover"] = std::move(cover);
  // The words of a problem may quote an original value, which only a confidential report may hold.
  if (outcome.report_raw) json["problems"] = verdict.problems;
  return json;
}

// Each controller's part of the release, as it was asked for and reached; what its rows reached by themselves only where the release says
// whose rows are whose.
Json ControllersJson(const Outcome& outcome) {
  Json controllers = Json::array();
  for (const Outcome::ControllerPart& part : outcome.controllers) {
    Json json = {{"passed", part.verdict.passed}, {"requirement", RequirementJson(part.verdict.requirement)}};
    if (outcome.plan.controller_column.empty() || ShowsControllers(outcome)) json["name"] = part.name;
    if (ShowsControllers(outcome)) {
      json["reached"] = {{"k", part.verdict.k},
                         {"l", outcome.plan.sensitive.empty() ? 1 : part.verdict.l},
                         {"rows", part.verdict.rows},
                         {"groups", part.verdict.classes}};
      AddFurther(part.verdict, json["reached"]);
    }
    controllers.push_back(std::move(json));
  }
  return controllers;
}

Json StatisticsJson(const Outcome::Column::Statistics& statistics) {
  return {{"mean", statistics.mean ? Json(*statistics.mean) : Json(nullptr)},
          {"variance", statistics.variance ? Json(*statistics.variance) : Json(nullptr)},
          {"distinct", statistics.distinct},
          {"top_share", statistics.top_share}};
}

Json ColumnsJson(const Outcome& outcome) {
  Json columns = Json::array();
  for (const Outcome::Column& column : outcome.columns) {
    if (!ShowsColumn(outcome, column)) continue;
    Json json = {{"name", column.name}, {"role", column.role}, {"kind", column.kind}};
    if (ShowsCounts(outcome, column)) {
      json["distinct"] = column.distinct;
      json["missing"] = column.missing;
    }
    if (outcome.report_raw) {
      json["smallest"] = column.smallest;
      json["largest"] = column.largest;
      if (column.before) json["before"] = StatisticsJson(*column.before);
      if (column.after) json["after"] = StatisticsJson(*column.after);
    }
    columns.push_back(std::move(json));
  }
  return columns;
}

// What the stages have to tell machines, each under its key.
void AddSections(const Outcome& outcome, Json& report) {
  Json sections = Json::object();
  for (const NoteSection& section : outcome.sections) {
    if (section.facts.is_unknown() || (section.raw && !outcome.report_raw)) continue;
    Json& place = section.controller.empty() ? report : sections[section.key];  // by controller, if there are several
    const std::string& key = section.controller.empty() ? section.key : section.controller;
    TADA_ASSERT(!place.contains(key));  // a stage must not change what the report itself says
    place[key] = FactJson(section.facts);
  }
  for (auto& [key, by_controller] : sections.items()) {
    TADA_ASSERT(!report.contains(key));
    report[key] = std::move(by_controller);
  }
}

}  // namespace

uint64_t ReachedL(const Outcome& outcome) { return outcome.plan.sensitive.empty() ? 1 : outcome.verdict.l; }

const Requirement& Asked(const Outcome& outcome) {
  // The verdict's says of demands which column each is about and how it is counted.
  const bool as_planned = outcome.controllers.empty() && outcome.verdict.requirement.more.empty();
  return as_planned ? outcome.plan.requirement : outcome.verdict.requirement;
}

bool ShowsControllers(const Outcome& outcome) {
  const std::vector<PlannedColumn>& kept = outcome.plan.keep;
  return outcome.report_raw ||
         std::ranges::find(kept, outcome.plan.controller_column, &PlannedColumn::name) != kept.end();
}

std::vector<std::string> ShownWarnings(const Outcome& outcome) {
  return outcome.report_raw ? outcome.all_warnings() : outcome.warnings;
}

bool ShowsColumn(const Outcome& outcome, const Outcome::Column& column) {
  return outcome.report_raw || column.released;
}

bool ShowsCounts(const Outcome& outcome, const Outcome::Column& column) {
  return outcome.report_raw || (column.as_it_is() && outcome.withheld_rows == 0);
}

std::string ReportJson(const Outcome& outcome) {
  Json report;
  report["tada"] = kVersion;
  report["method"] = outcome.method;
  report["stages"] = outcome.stages;
  report["seed"] = outcome.plan.seed;
  report["requirement"] = RequirementJson(Asked(outcome));
  report["reached"] = ReachedJson(outcome);
  report["loss"] = LossJson(outcome);
  Json seconds = Json::object();
  for (const auto& [stage, time] : outcome.seconds) {
    seconds[stage] = std::round((seconds.value(stage, 0.0) + time) * 1000) / 1000;
  }
  report["seconds"] = std::move(seconds);
  report["peak_memory_mb"] = std::round(outcome.peak_memory_mb);
  report["confidential"] = outcome.report_raw;
  if (!outcome.controllers.empty()) report["controllers"] = ControllersJson(outcome);
  report["verdict"] = VerdictJson(outcome);
  report["risk"] = {{"prosecutor", RiskJson(outcome.verdict.prosecutor)},
                    {"journalist", RiskJson(outcome.verdict.journalist)},
                    {"marketer", RiskJson(outcome.verdict.marketer)}};
  if (const auto population = PopulationOf(outcome.verdict)) report["population"] = PopulationJson(*population);
  report["input"] = {{"path", outcome.input_path}, {"format", outcome.input_format}, {"rows", outcome.input_rows}};
  if (outcome.report_raw) report["input"]["columns"] = outcome.input_columns;
  if (outcome.report_raw && !outcome.input_sha256.empty()) report["input"]["sha256"] = outcome.input_sha256;
  report["output"] = outcome.output_path;
  report["row_order"] = outcome.plan.keep_order ? "input" : "canonical";
  if (!outcome.release_sha256.empty()) report["release_sha256"] = outcome.release_sha256;
  if (!outcome.plan.about.empty()) {
    Json purpose = Json::object();
    for (const auto& [name, text] : outcome.plan.about) purpose[name] = text;
    report["purpose"] = std::move(purpose);
  }
  if (!outcome.policy.empty()) report["policy"] = outcome.policy;
  report["regulator"] = Json::array();
  for (const RegulatorAnswer& answer : RegulatorAnswers(outcome)) {
    report["regulator"].push_back(
        {{"question", answer.question}, {"answer", answer.answer}, {"not_checked", answer.not_checked}});
  }
  report["columns"] = ColumnsJson(outcome);
  report["safe"] = outcome.plan.safe > 0 ? Json(outcome.plan.safe) : Json(nullptr);
  report["range"] = outcome.plan.range_cut ? "cut" : "tight";
  report["recode"] = outcome.plan.recode;
  if (outcome.report_raw) {
    report["dropped"] = outcome.dropped_columns;
    report["rare_members"] = outcome.rare_members;
  }
  report["warnings"] = ShownWarnings(outcome);
  report["about"] = Json::array();
  for (const auto& [stage, words] : outcome.about) report["about"].push_back({{"stage", stage}, {"words", words}});
  report["plan"] = PlanToToml(outcome.plan);
  if (!outcome.command.empty()) report["command"] = outcome.command;
  if (!outcome.created.empty()) report["created"] = outcome.created;
  if (outcome.report_raw) report["raw_sample"] = outcome.raw_sample;
  AddSections(outcome, report);
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // paths may hold any bytes
}

}  // namespace tada
