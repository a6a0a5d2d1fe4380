#include "report/verdict/verdict_json.h"

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "report/verdict/population_text.h"
#include "report/verdict/requirement_json.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

Json RiskJson(const AuditRisk& risk) {
  return {{"highest", risk.highest}, {"average", risk.average}, {"share_at_risk", risk.share_at_risk}};
}

Json WorstJson(const Verdict& verdict) {
  if (!verdict.worst) return nullptr;
  Json cells = Json::object();
  for (size_t i = 0; i < verdict.worst->cells.size(); ++i) cells[verdict.quasi.at(i)] = verdict.worst->cells[i];
  return {{"cells", cells},
          {"rows", verdict.worst->rows},
          {"size", verdict.worst->size},
          {"l", verdict.worst->l},
          {"reason", verdict.worst->reason}};
}

Json CoverJson(const std::vector<ColumnCover>& columns) {
  Json cover = Json::object();
  for (const ColumnCover& column : columns) {
    cover[column.column] = {{"role", column.quasi ? "quasi" : "unchanged"},
                            {"covered", column.verified() ? Json(*column.verified()) : Json(nullptr)},
                            {"uncovered_rows", column.uncovered_rows},
                            {"unchecked_rows", column.unchecked_rows},
                            {"example", column.example}};
  }
  return cover;
}

Json LossJson(const ReleaseLoss& loss) {
  Json per_column = Json::object();
  for (const auto& [name, ncp] : loss.per_column) per_column[name] = ncp;
  Json json = {{"ncp", loss.ncp},
               {"ncp_with_withheld", loss.ncp_with_withheld},
               {"discernibility", loss.discernibility},
               {"average_group", loss.average_class},
               {"per_column", per_column}};
  if (!loss.squared_error) return json;
  json["ncp"] = json["ncp_with_withheld"] = nullptr;  // means cover nobody
  json["squared_error"] = *loss.squared_error;
  return json;
}

}  // namespace

std::string VerdictJson(const Verdict& verdict) {
  Json json;
  json["tada"] = kVersion;
  json["passed"] = verdict.passed;
  json["verified"] = verdict.passed && verdict.unverified.empty();
  json["requirement"] = RequirementJson(verdict.requirement);
  json["quasi"] = verdict.quasi;
  json["sensitive"] = verdict.sensitive;
  json["k"] = verdict.k;
  json["l"] = verdict.sensitive.empty() ? Json(nullptr) : Json(verdict.l);
  Json by_column = Json::object();
  for (size_t i = 0; i < verdict.l_of_column.size(); ++i) by_column[verdict.sensitive.at(i)] = verdict.l_of_column[i];
  json["l_of_column"] = by_column;
  json["folded"] = FoldedJson(verdict);
  if (verdict.people) json["people"] = *verdict.people;
  if (verdict.linked) json["linked"] = *verdict.linked;
  AddFurther(verdict, json);
  json["rows"] = verdict.rows;
  json["classes"] = verdict.classes;
  json["largest_class"] = verdict.largest_class;
  json["masked_rows"] = verdict.masked_rows;
  json["breaking_classes"] = verdict.breaking_classes;
  json["breaking_rows"] = verdict.breaking_rows;
  json["worst"] = WorstJson(verdict);
  json["class_sizes"] = verdict.class_sizes;
  json["risk"] = {{"prosecutor", RiskJson(verdict.prosecutor)},
                  {"journalist", RiskJson(verdict.journalist)},
                  {"marketer", RiskJson(verdict.marketer)}};
  if (const auto population = PopulationOf(verdict)) json["population"] = PopulationJson(*population);
  json["cover"] = CoverJson(verdict.cover);
  json["row_match"] = RowMatchName(verdict.row_match);
  json["rows_match"] = verdict.rows_match;
  json["withheld_rows"] = verdict.withheld_rows;
  if (verdict.loss) json["loss"] = LossJson(*verdict.loss);
  json["problems"] = verdict.problems;
  json["unverified"] = verdict.unverified;
  json["notes"] = verdict.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
