#include "report/verdict/verdict_html.h"

#include <fmt/format.h>

#include "report/draw/chart_axis.h"
#include "report/draw/html_text.h"
#include "report/draw/report_page.h"
#include "report/draw/svg_chart.h"
#include "report/verdict/population_text.h"
#include "report/verdict/verdict_json.h"

namespace tada {
namespace {

ReportSection Reached(const Verdict& verdict) {
  const Requirement& asked = verdict.requirement;
  DataTable table{{"", "asked", "reached"}, {{"k", WithCommas(asked.k), WithCommas(verdict.k)}}, {false, true, true}};
  for (size_t i = 0; i < verdict.l_of_column.size(); ++i) {
    table.rows.push_back({fmt::format("l of {} ({})", verdict.sensitive[i], DiversityName(asked)), WithCommas(asked.l),
                          WithCommas(verdict.l_of_column[i])});
  }
  for (const ReachedDemand& demand : verdict.further) {
    table.rows.push_back({demand.Label(), demand.asked.empty() ? "-" : demand.asked, demand.reached});
  }
  return {"What was asked, what the file has",
          fmt::format("{} in {}; {} with {} {} the requirement; {} masked.", Counted(verdict.rows, "row"),
                      Counted(verdict.classes, "class", "classes"),
                      Counted(verdict.breaking_classes, "class", "classes"), Counted(verdict.breaking_rows, "row"),
                      verdict.breaking_classes == 1 ? "breaks" : "break", Counted(verdict.masked_rows, "row")),
          ToHtml(table)};
}

ReportSection Worst(const Verdict& verdict) {
  DataTable table{{"column", "released cell"}, {}, {}};
  for (size_t i = 0; i < verdict.worst->cells.size(); ++i) {
    table.rows.push_back({verdict.quasi.at(i), verdict.worst->cells[i]});
  }
  return {"The worst class",
          fmt::format("{}; rows {}{}.", verdict.worst->reason, fmt::join(verdict.worst->rows, ", "),
                      verdict.worst->rows.size() < verdict.worst->size ? ", ..." : ""),
          ToHtml(table)};
}

ReportSection Sizes(const Verdict& verdict) {
  ChartFrame frame;
  frame.title = "Classes by size";
  frame.x_label = "rows of a class";
  frame.y_label = "classes";
  return {"Class sizes", "How many classes there are of each size.", Histogram(frame, BinSizes(verdict.class_sizes))};
}

ReportSection Risk(const Verdict& verdict) {
  DataTable table{{"somebody who", "highest", "average", fmt::format("above 1/{}", verdict.requirement.k)},
                  {},
                  {false, true, true, true}};
  const auto add = [&](std::string who, const AuditRisk& risk) {
    table.rows.push_back({std::move(who), Percent(risk.highest), Percent(risk.average), Percent(risk.share_at_risk)});
  };
  add("looks for one person who is in the release (prosecutor)", verdict.prosecutor);
  add("looks for anybody (journalist)", verdict.journalist);
  add("looks for as many as possible (marketer)", verdict.marketer);
  return {"Risk of re-identification", "By somebody who knows the quasi-identifiers.", ToHtml(table)};
}

std::string_view WordsOf(RowMatch match) {
  switch (match) {
    case RowMatch::kNotChecked:
      return "There was no original to compare rows with.";
    case RowMatch::kGiven:
      return "Rows were compared one by one, in the order that was named.";
    case RowMatch::kSameOrder:
      return "Rows were compared one by one: they stand in the order of the original.";
    case RowMatch::kFound:
      return "Rows stand in another order than in the original. The audit found one in which every row covers its own.";
    case RowMatch::kNone:
      return "There is no order of the rows in which every row covers one of the original.";
    case RowMatch::kUndecided:
      return "Too many orders of the rows are possible; columns were compared one by one.";
  }
  return "";
}

ReportSection Cover(const Verdict& verdict) {
  DataTable table{
      {"column", "verdict", "rows that fail", "rows unchecked", "example"}, {}, {false, false, true, true, false}};
  for (const ColumnCover& column : verdict.cover) {
    const std::string right = column.quasi ? "covers the original" : "is as in the original";
    const std::string words = column.verified() ? (*column.verified() ? right : "fails") : "not checked in all rows";
    table.rows.push_back(
        {column.column, words, WithCommas(column.uncovered_rows), WithCommas(column.unchecked_rows), column.example});
  }
  return {"Against the original", std::string(WordsOf(verdict.row_match)), ToHtml(table)};
}

ReportSection Loss(const Verdict& verdict) {
  const ReleaseLoss& loss = *verdict.loss;
  DataTable table{{"measure", "value"}, {}, {false, true}};
  if (loss.squared_error) {
    table.rows.push_back({"squared error of means", Percent(*loss.squared_error)});
  } else {
    table.rows.push_back({"NCP", Percent(loss.ncp)});
  }
  if (verdict.withheld_rows > 0 && !loss.squared_error)
    table.rows.push_back({"NCP, withheld rows counted 1", Percent(loss.ncp_with_withheld)});
  for (const auto& [name, ncp] : loss.per_column) table.rows.push_back({"NCP of " + name, Percent(ncp)});
  table.rows.push_back({"discernibility", ShortNumber(loss.discernibility)});
  table.rows.push_back({"average class", fmt::format("{:.1f} rows", loss.average_class)});
  return {"Information loss", "What the cells leave open, as a share of what the whole column would.", ToHtml(table)};
}

ReportSection List(std::string title, const std::vector<std::string>& items) {
  std::string html = "<ul>";
  for (const std::string& item : items) html += fmt::format("<li>{}</li>", EscapeWords(item));
  return {std::move(title), "", html + "</ul>"};
}

}  // namespace

std::string VerdictHtml(const Verdict& verdict, const std::string& release, const std::string& original) {
  ReportPage page;
  const bool open = verdict.passed && !verdict.unverified.empty();
  page.title = open ? "Audit: not verified" : fmt::format("Audit {}", verdict.passed ? "passed" : "failed");
  page.subtitle = original.empty() ? release : fmt::format("{}, against {}", release, original);
  if (!original.empty() && !verdict.passed) page.notice = "Confidential: examples show values of the original table.";
  page.sections.push_back(Reached(verdict));
  if (!verdict.problems.empty()) page.sections.push_back(List("Problems", verdict.problems));
  if (!verdict.unverified.empty()) page.sections.push_back(List("Not verified", verdict.unverified));
  if (verdict.worst) page.sections.push_back(Worst(verdict));
  page.sections.push_back(Sizes(verdict));
  page.sections.push_back(Risk(verdict));
  if (const auto population = PopulationOf(verdict))
    page.sections.push_back(List("In the population", PopulationSentences(*population)));
  if (!verdict.cover.empty()) page.sections.push_back(Cover(verdict));
  if (verdict.loss) page.sections.push_back(Loss(verdict));
  if (!verdict.notes.empty()) page.sections.push_back(List("Notes", verdict.notes));
  return ToHtml(page);
}

}  // namespace tada
