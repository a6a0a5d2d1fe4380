#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "report/attack_report.h"
#include "report/compare_report.h"
#include "report/draw/text_layout.h"
#include "report/verdict/verdict_json.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

Json Known(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json ColumnsJson(const std::vector<ColumnFigures>& columns) {
  Json json = Json::object();
  for (const ColumnFigures& column : columns) {
    Json marginal = Json::object();
    for (const MarginalShare& part : column.marginal) marginal[part.label] = part.share;
    json[column.column] = {{"mean", Known(column.mean)},
                           {"variance", Known(column.variance)},
                           {"marginal_error", column.marginal_error},
                           {"marginal", marginal}};
  }
  return json;
}

Json TableJson(const TableFigures& table) {
  Json json;
  json["name"] = table.name;
  json["audit"] = Json::parse(VerdictJson(table.verdict));
  json["columns"] = ColumnsJson(table.columns);
  json["correlations"] = Json::array();
  for (const Correlation& pair : table.correlations) {
    json["correlations"].push_back({{"columns", {pair.first, pair.second}}, {"value", Known(pair.value)}});
  }
  if (table.queries) {
    json["queries"] = {{"count", table.queries->queries},
                       {"median", table.queries->median},
                       {"mean", table.queries->mean},
                       {"highest", table.queries->highest}};
  }
  if (table.attack) json["attack"] = Json::parse(AttackJson(*table.attack));
  json["notes"] = table.notes;
  return json;
}

}  // namespace

std::string CompareText(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows{{"", comparison.original.name}};
  std::vector<bool> right{false, true};
  for (const TableFigures& release : comparison.releases) {
    rows[0].push_back(release.name);
    right.push_back(true);
  }
  for (const ComparedLines& section : CompareLines(comparison)) {
    rows.push_back({section.title});
    for (std::vector<std::string> line : section.lines) {
      line[0] = "  " + line[0];
      rows.push_back(std::move(line));
    }
  }
  std::string text = "Confidential: figures of the original table. Do not publish.\n\n" + AlignColumns(rows, right);
  for (const TableFigures& release : comparison.releases) {
    std::vector<std::string> said = release.verdict.problems;
    said.insert(said.end(), release.verdict.unverified.begin(), release.verdict.unverified.end());
    said.insert(said.end(), release.notes.begin(), release.notes.end());
    if (said.empty()) continue;
    text += fmt::format("\n{}:\n", release.name);
    for (const std::string& one : said) text += "  - " + Wrap(one, 100, 4) + '\n';
  }
  return text;
}

std::string CompareJson(const Comparison& comparison) {
  Json json;
  json["tada"] = kVersion;
  json["confidential"] = true;
  json["made_up_queries"] = comparison.made_up_queries;
  json["original"] = TableJson(comparison.original);
  json["releases"] = Json::array();
  for (const TableFigures& release : comparison.releases) json["releases"].push_back(TableJson(release));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
