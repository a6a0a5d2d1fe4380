#include "partition/dop/dbscan_report.h"

#include <algorithm>

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

Chart CurveChart(const DensityRecord& record) {
  const Knee& knee = record.knee;
  Series curve{.name = fmt::format("distance to {} rows", record.min_points)};
  for (const size_t place : CurvePlaces(knee)) {
    curve.x.push_back(static_cast<double>(place) / static_cast<double>(knee.curve.size()));
    curve.y.push_back(knee.curve[place]);
  }
  const double at = static_cast<double>(knee.position) / static_cast<double>(knee.curve.size());
  Series chosen{.name = "eps", .x = {at, at}, .y = {0, record.eps}};
  return {.title = "Distance within which a row has enough others, all rows in ascending order, and the eps chosen",
          .x_label = "share of rows",
          .y_label = "distance",
          .lines = {std::move(curve), std::move(chosen)}};
}

Chart SizesChart(const DensityRecord& record) {
  Chart chart{.title = "Rows in the largest clusters and in no cluster", .x_label = "rows"};
  for (size_t i = 0; i < std::min(kBars, record.cluster_sizes.size()); ++i) {
    const auto size = static_cast<double>(record.cluster_sizes[i]);
    chart.bars.push_back(
        {fmt::format("cluster {}", i + 1), size,
         fmt::format("{} ({:.1f}%)", record.cluster_sizes[i], 100 * size / static_cast<double>(record.rows))});
  }
  chart.bars.push_back({"noise", static_cast<double>(record.noise_rows), fmt::format("{}", record.noise_rows)});
  return chart;
}

Fact Facts(const DensityRecord& record) {
  const bool given = record.knee.curve.empty();
  Fact::List curve;
  if (!given) {
    for (const size_t place : CurvePlaces(record.knee)) curve.emplace_back(record.knee.curve[place]);
  }
  const size_t shown = std::min<size_t>(1000, record.cluster_sizes.size());
  const double share = static_cast<double>(record.noise_rows) / static_cast<double>(record.rows);
  const double knee_at =
      given ? 0 : static_cast<double>(record.knee.position) / static_cast<double>(record.knee.curve.size());
  return FactMap()
      .Add("eps", record.eps)
      .Add("eps_given", given)
      .Add("min_points", record.min_points)
      .Add("clusters", record.cluster_sizes.size())
      .Add("cluster_sizes", FactList(std::span(record.cluster_sizes).first(shown)))
      .Add("groups", record.groups)
      .Add("noise_rows", record.noise_rows)
      .Add("noise_share", RoundToDecimals(share, 6))
      .Add("noise_as", record.noise_as)
      .Add("sampled", record.sampled)
      .Add("knee_at", RoundToDecimals(knee_at, 6))
      .Add("curve", std::move(curve));
}

}  // namespace

void ReportDensity(const DensityRecord& record, StageNotes& notes) {
  if (record.sampled > 0) {
    notes.warnings.push_back(fmt::format(
        "Clusters come from a sample of {} points, since there are more than {} quasi-identifiers: an approximation",
        record.sampled, kMaxGridColumns));
  }
  const double share = 100 * static_cast<double>(record.noise_rows) / static_cast<double>(record.rows);
  NoteSection section{.key = "dbscan", .title = "Density clusters", .facts = Facts(record)};
  section.text = fmt::format("{} clusters at eps {:.6g} with {} rows; {} rows ({:.1f}%) are noise, {}",
                             record.cluster_sizes.size(), record.eps, record.min_points, record.noise_rows, share,
                             record.noise_as);
  const bool given = record.knee.curve.empty();
  section.blocks.push_back({section.text + (given ? ". Eps was given." : ". Eps is the knee of the curve.")});
  section.blocks.push_back({SizesChart(record)});
  if (!given) section.blocks.push_back({CurveChart(record)});
  section.raw = true;  // eps is a distance between two of the rows
  notes.sections.push_back(std::move(section));
}

}  // namespace tada
