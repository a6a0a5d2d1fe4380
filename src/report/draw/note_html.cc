#include "report/draw/note_html.h"

#include <fmt/format.h>

#include "report/draw/html_text.h"
#include "report/draw/svg_chart.h"
#include "report/draw/svg_tree.h"

namespace tada {
namespace {

std::string Html(const std::string& paragraph) { return "<p>" + Escape(paragraph) + "</p>"; }

std::string Html(const DataTable& table) { return ToHtml(table); }

std::string Html(const Chart& chart) {
  ChartFrame frame{.title = chart.title, .x_label = chart.x_label, .y_label = chart.y_label};
  return chart.bars.empty() ? LineChart(frame, chart.lines) : BarChart(frame, chart.bars);
}

std::string Html(const TreeDiagram& tree) {
  return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Tree\">" + DrawTree(tree) + "</div>";
}

}  // namespace

std::string BlocksHtml(const std::vector<NoteBlock>& blocks) {
  std::string html;
  for (const NoteBlock& block : blocks) {
    std::string body = std::visit([](const auto& content) { return Html(content); }, block.content);
    html += block.folded_under.empty()
                ? std::move(body)
                : fmt::format("<details><summary>{}</summary>{}</details>", Escape(block.folded_under), body);
  }
  return html;
}

}  // namespace tada
