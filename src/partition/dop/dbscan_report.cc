#include "partition/dop/dbscan_report.h"

#include <algorithm>

#include "draw/svg_chart.h"

namespace tada {
namespace {

constexpr size_t kCurvePoints = 200, kBars = 20;

// Points of the curve at equal steps, its ends and the knee.
std::vector<size_t> CurvePlaces(const Knee& knee) {
  std::vector<size_t> places;
  const size_t n = knee.curve.size();
  for (size_t i = 0; i < kCurvePoints; ++i) places.push_back(i * (n - 1) / (kCurvePoints - 1));
  places.push_back(knee.position);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::string CurveChart(const DensityRecord& record) {
  const Knee& knee = record.knee;
  Series curve{.name = fmt::format("distance to {} rows", record.min_points)};
  for (const size_t place : CurvePlaces(knee)) {
    curve.x.push_back(static_cast<double>(place) / static_cast<double>(knee.curve.size()));
    curve.y.push_back(knee.curve[place]);
  }
  const double at = static_cast<double>(knee.position) / static_cast<double>(knee.curve.size());
  Series chosen{.name = "eps", .x = {at, at}, .y = {0, record.eps}};
  ChartFrame frame{
      .title = "Distance within which a row has enough others, all rows in ascending order, and the eps chosen"};
  frame.x_label = "share of rows";
  frame.y_label = "distance";
  return LineChart(frame, {curve, chosen});
}

std::string SizesChart(const DensityRecord& record) {
  std::vector<Bar> bars;
  for (size_t i = 0; i < std::min(kBars, record.cluster_sizes.size()); ++i) {
    const auto size = static_cast<double>(record.cluster_sizes[i]);
    bars.push_back(
        {fmt::format("cluster {}", i + 1), size,
         fmt::format("{} ({:.1f}%)", record.cluster_sizes[i], 100 * size / static_cast<double>(record.rows))});
  }
  bars.push_back({"noise", static_cast<double>(record.noise_rows), fmt::format("{}", record.noise_rows)});
  ChartFrame frame{.title = "Rows in the largest clusters and in no cluster"};
  frame.x_label = "rows";
  return BarChart(frame, bars);
}

std::string Json(const DensityRecord& record) {
  std::vector<double> curve;
  if (!record.knee.curve.empty()) {
    for (const size_t place : CurvePlaces(record.knee)) curve.push_back(record.knee.curve[place]);
  }
  const std::vector<uint64_t> sizes(
      record.cluster_sizes.begin(),
      record.cluster_sizes.begin() + static_cast<ptrdiff_t>(std::min<size_t>(1000, record.cluster_sizes.size())));
  const double share = static_cast<double>(record.noise_rows) / static_cast<double>(record.rows);
  return fmt::format(
      R"({{"eps": {}, "eps_given": {}, "min_points": {}, "clusters": {}, "cluster_sizes": [{}], "groups": {}, )"
      R"("noise_rows": {}, "noise_share": {:.6f}, "noise_as": "{}", "sampled": {}, "knee_at": {:.6f}, "curve": [{}]}})",
      record.eps, record.knee.curve.empty(), record.min_points, record.cluster_sizes.size(), fmt::join(sizes, ", "),
      record.groups, record.noise_rows, share, record.noise_as, record.sampled,
      record.knee.curve.empty()
          ? 0
          : static_cast<double>(record.knee.position) / static_cast<double>(record.knee.curve.size()),
      fmt::join(curve, ", "));
}

}  // namespace

void ReportDensity(const DensityRecord& record, StageNotes& notes) {
  if (record.sampled > 0) {
    notes.warnings.push_back(fmt::format(
        "Clusters come from a sample of {} points, since there are more than {} quasi-identifiers: an approximation",
        record.sampled, kMaxGridColumns));
  }
  const double share = 100 * static_cast<double>(record.noise_rows) / static_cast<double>(record.rows);
  StageNotes::Section section{.key = "dbscan", .title = "Density clusters"};
  section.text = fmt::format("{} clusters at eps {:.6g} with {} rows; {} rows ({:.1f}%) are noise, {}",
                             record.cluster_sizes.size(), record.eps, record.min_points, record.noise_rows, share,
                             record.noise_as);
  section.html = "<p>" + section.text +
                 (record.knee.curve.empty() ? ". Eps was given." : ". Eps is the knee of the curve.") + "</p>" +
                 SizesChart(record) + (record.knee.curve.empty() ? "" : CurveChart(record));
  section.json = Json(record);
  section.raw = true;  // eps is a distance between two of the rows
  notes.sections.push_back(std::move(section));
}

}  // namespace tada
