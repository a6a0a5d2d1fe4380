#include <algorithm>
#include <cmath>

#include "report/draw/html_text.h"
#include "report/draw/report_page.h"
#include "report/draw/svg_chart.h"
#include "report/evaluate_report.h"

namespace tada {
namespace {

// Sorts a table by the column whose head was clicked; numbers as numbers.
constexpr const char kSortScript[] = R"js(
for (const table of document.querySelectorAll('table')) {
  const heads = [...table.querySelectorAll('th')];
  heads.forEach((head, column) => {
    head.style.cursor = 'pointer';
    head.tabIndex = 0;
    head.setAttribute('role', 'button');
    const sort = () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const body = table.tBodies[0] || table;
      const rows = [...body.rows].filter(row => row.cells[0].tagName === 'TD');
      const key = row => { const text = row.cells[column].textContent.trim(); const n = parseFloat(text); return isNaN(n) ? text : n; };
      rows.sort((a, b) => { const x = key(a), y = key(b);
        const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
        return up ? order : -order; });
      rows.forEach(row => body.appendChild(row));
    };
    head.addEventListener('click', sort);
    head.addEventListener('keydown', event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); sort(); } });
  });
}
)js";

std::string Words(const std::string& metric) {
  return metric == "f1_macro" ? "F1macro" : metric == "ari" ? "ARI" : metric == "r2" ? "R2" : metric;
}

// One chart: a learner at one l.
std::string Panel(const std::vector<Summary>& summaries, const EvaluateOptions& options, const std::string& learner,
                  int64_t l, const std::string& metric) {
  std::vector<Series> series;
  for (const GridMethod& method : options.methods) {
    Series line{method.text, {}, {}, {}, {}, {}};
    for (const Summary& one : summaries) {
      if (one.learner != learner || one.method != method.text) continue;
      if (method.name == "raw") {  // the same at every k
        line.dashed = true;
        for (const int64_t k : {*std::min_element(options.k.begin(), options.k.end()),
                                *std::max_element(options.k.begin(), options.k.end())}) {
          line.x.push_back(static_cast<double>(k));
          line.y.push_back(one.value.mean);
          line.tips.push_back(fmt::format("raw: {:.4f}", one.value.mean));
        }
      } else if (one.l == l) {
        line.x.push_back(static_cast<double>(one.k));
        line.y.push_back(one.value.mean);
        line.low.push_back(one.value.low);
        line.high.push_back(one.value.high);
        line.tips.push_back(fmt::format("{}, k={}, l={}: {:.4f} ({:.3f} of raw, NCP {:.3f})", one.method, one.k, one.l,
                                        one.value.mean, one.ratio, one.ncp));
      }
    }
    if (!line.x.empty()) series.push_back(std::move(line));
  }
  return "<h3>l=" + fmt::format("{}", l) + "</h3>" +
         LineChart({.title = fmt::format("{} of {} against k, l={}", metric, learner, l),
                    .x_label = "k",
                    .y_label = metric,
                    .log_x = true,
                    .y_from_zero = false},
                   series);
}

std::string SortableTable(const std::vector<Summary>& summaries, const std::string& metric,
                          const std::string& baseline) {
  DataTable table;
  table.header = {"learner",
                  "method",
                  "k",
                  "l",
                  metric,
                  "low",
                  "high",
                  "of raw",
                  "NCP",
                  "reached k",
                  "reached l",
                  "seconds",
                  "difference to " + baseline,
                  "p",
                  "against " + baseline};
  table.right = {false, false, true, true, true, true, true, true, true, true, true, true, true, true, false};
  const auto number = [](double value, int digits) {
    return std::isnan(value) ? std::string() : fmt::format("{:.{}f}", value, digits);
  };
  const auto count = [](int64_t n) { return n == 0 ? std::string() : fmt::format("{}", n); };  // raw rows ask nothing
  for (const Summary& one : summaries) {
    table.rows.push_back({one.learner, one.method, count(one.k), count(one.l), number(one.value.mean, 4),
                          number(one.value.low, 4), number(one.value.high, 4), number(one.ratio, 3), number(one.ncp, 4),
                          count(one.reached_k), count(one.reached_l), number(one.release_seconds, 3),
                          number(one.difference, 4), number(one.p, 4),
                          one.seeds == 0 ? one.problem : one.against_baseline});
  }
  return ToHtml(table);
}

std::string ProtocolWords(const EvaluateOptions& options, Task task) {
  if (task == Task::kClustering) return "Clusters of the released rows against those of the raw rows.";
  return options.protocol == Protocol::kRawTest
             ? "Protocol raw-test: models learn from a release of the training rows and are tested on raw rows."
             : "Protocol released-test: all rows are released, then split; the test rows are widened too.";
}

}  // namespace

std::string EvaluateHtml(const std::vector<Summary>& summaries, const EvaluateOptions& options, Task task,
                         const std::string& baseline, const EvaluateSource& source) {
  const std::string metric = Words(std::string(MetricName(MainMetric(task))));
  std::vector<std::string> learners;
  for (const Summary& one : summaries) {
    if (std::find(learners.begin(), learners.end(), one.learner) == learners.end()) learners.push_back(one.learner);
  }
  ReportPage page;
  page.title = "What models still learn";
  page.subtitle = source.input;
  page.script = kSortScript;
  page.hero = fmt::format(
      "<p>{} {} seeds; whiskers are 95% intervals of the mean (corrected for splits that share rows). Compared with {} "
      "seed by "
      "seed.</p><pre>{}</pre>",
      Escape(ProtocolWords(options, task)), options.seeds, Escape(baseline), Escape(source.command));
  for (const std::string& learner : learners) {
    std::string html;
    for (const int64_t l : options.l) html += Panel(summaries, options, learner, l, metric);
    page.sections.push_back({fmt::format("{}: {} against k", learner, metric),
                             "Raw data as a dashed line. Point at a mark for its numbers.", html});
  }
  page.sections.push_back({"All results", "Click on a heading to sort.", SortableTable(summaries, metric, baseline)});
  return ToHtml(page);
}

}  // namespace tada
