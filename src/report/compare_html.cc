#include <fmt/format.h>

#include "report/compare_report.h"
#include "report/draw/chart_axis.h"
#include "report/draw/html_text.h"
#include "report/draw/report_page.h"
#include "report/draw/svg_chart.h"

namespace tada {
namespace {

DataTable EmptyTable(const Comparison& comparison, std::string first) {
  DataTable table{{std::move(first), comparison.original.name}, {}, {false, true}};
  for (const TableFigures& release : comparison.releases) {
    table.header.push_back(release.name);
    table.right.push_back(true);
  }
  return table;
}

std::string LossChart(const Comparison& comparison) {
  std::vector<Bar> bars;
  for (const TableFigures& release : comparison.releases) {
    if (release.verdict.loss)
      bars.push_back({release.name, release.verdict.loss->ncp, Percent(release.verdict.loss->ncp)});
  }
  return bars.empty() ? "" : "<h3>NCP of the releases</h3>" + BarChart({.title = "NCP of the releases"}, bars);
}

std::string QueryChart(const Comparison& comparison) {
  std::vector<Bar> bars;
  for (const TableFigures& release : comparison.releases) {
    if (release.queries) bars.push_back({release.name, release.queries->median, Percent(release.queries->median)});
  }
  return bars.empty() ? "" : "<h3>Median error of queries</h3>" + BarChart({.title = "Median error of queries"}, bars);
}

// One folded table for each column: the shares of its values before and after.
ReportSection MarginalSection(const Comparison& comparison) {
  ReportSection section{"Marginals", "How often values occur, before and after.", ""};
  for (size_t i = 0; i < comparison.original.columns.size(); ++i) {
    const ColumnFigures& column = comparison.original.columns[i];
    DataTable table = EmptyTable(comparison, "value");
    for (size_t part = 0; part < column.marginal.size(); ++part) {
      std::vector<std::string> row{column.marginal[part].label, Percent(column.marginal[part].share)};
      bool any = column.marginal[part].share > 0;
      for (const TableFigures& release : comparison.releases) {
        const auto found = std::ranges::find(release.columns, column.column, &ColumnFigures::column);
        const double share = found == release.columns.end() ? 0 : found->marginal[part].share;
        any = any || share > 0;
        row.push_back(found == release.columns.end() ? "" : Percent(share));
      }
      if (any) table.rows.push_back(std::move(row));
    }
    section.html += fmt::format("<details><summary>{}</summary>{}</details>", Escape(column.column), ToHtml(table));
  }
  return section;
}

}  // namespace

std::string CompareHtml(const Comparison& comparison) {
  ReportPage page;
  page.title = "Releases side by side";
  page.subtitle = fmt::format("of {}", comparison.original.name);
  page.notice = "Confidential: it shows figures of the original table.";
  for (const ComparedLines& lines : CompareLines(comparison)) {
    DataTable table = EmptyTable(comparison, "");
    table.rows = lines.lines;
    std::string html = ToHtml(table);
    if (lines.title == "Information loss") html += LossChart(comparison);
    if (lines.title == "Queries") html += QueryChart(comparison);
    page.sections.push_back({lines.title, lines.lead, std::move(html)});
  }
  page.sections.push_back(MarginalSection(comparison));
  std::string notes;
  for (const TableFigures& release : comparison.releases) {
    for (const auto* said : {&release.verdict.problems, &release.verdict.unverified, &release.notes}) {
      for (const std::string& one : *said)
        notes += fmt::format("<li>{}: {}</li>", Escape(release.name), EscapeWords(one));
    }
  }
  if (!notes.empty()) page.sections.push_back({"Notes", "", "<ul>" + notes + "</ul>"});
  return ToHtml(page);
}

}  // namespace tada
