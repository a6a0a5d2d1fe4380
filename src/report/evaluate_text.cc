#include <cmath>

#include "report/evaluate_report.h"

namespace tada {
namespace {

std::string Pad(const std::string& text, size_t width, bool right) {
  const std::string blanks(text.size() < width ? width - text.size() : 0, ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::string EvaluateText(const std::vector<Summary>& summaries, Task task, const std::string& baseline) {
  std::vector<std::vector<std::string>> rows = {{"learner", "l", "k", "method",
                                                 std::string(MetricName(MainMetric(task))), "95%", "of raw", "NCP",
                                                 "seconds", "against " + baseline}};
  const auto number = [](double value, int digits) {
    return std::isnan(value) ? std::string("-") : fmt::format("{:.{}f}", value, digits);
  };
  for (const Summary& one : summaries) {
    const bool raw = one.method == "raw";
    const std::string interval =
        std::isnan(one.value.low) ? "" : fmt::format("{:.3f}..{:.3f}", one.value.low, one.value.high);
    const std::string against = one.against_baseline.empty()
                                    ? ""
                                    : fmt::format("{} {:+.3f} (p={:.3f})", one.against_baseline, one.difference, one.p);
    rows.push_back({one.learner, raw ? "" : fmt::format("{}", one.l), raw ? "" : fmt::format("{}", one.k), one.method,
                    number(one.value.mean, 4), interval, raw ? "" : number(one.ratio, 3), raw ? "" : number(one.ncp, 4),
                    raw ? "" : number(one.release_seconds, 2), one.seeds == 0 ? one.problem : against});
  }
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      const bool right = c == 1 || c == 2 || (c >= 4 && c <= 8);
      line += (c == 0 ? "" : "  ") + (c + 1 == row.size() ? row[c] : Pad(row[c], widths[c], right));
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

}  // namespace tada
