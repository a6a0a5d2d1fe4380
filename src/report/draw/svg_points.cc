#include <algorithm>
#include <cmath>

#include "report/draw/svg_drawing.h"

namespace tada {
namespace {

constexpr size_t kColours = 8;

struct Extent {
  double low = INFINITY, high = -INFINITY;
  void Add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

bool Drawable(const Series& series, size_t i, bool log_x) {
  return std::isfinite(series.x[i]) && std::isfinite(series.y[i]) && (!log_x || series.x[i] > 0);
}

// The shapes that go with the colours, around the origin.
const char* Marker(size_t index) {
  static constexpr const char* kShapes[] = {
      R"svg(<circle r="4"/>)svg", R"svg(<rect x="-3.6" y="-3.6" width="7.2" height="7.2"/>)svg",
      R"svg(<path d="M0-5 4.6 3.4H-4.6z"/>)svg", R"svg(<path d="M0-5 5 0 0 5-5 0z"/>)svg"};
  return kShapes[index % std::size(kShapes)];
}

void DrawLegend(Drawing& drawing, const Area& area, const std::vector<Series>& series) {
  double x = area.left, y = 14;
  for (size_t i = 0; i < series.size(); ++i) {
    const std::string name = Shorten(series[i].name, 40);
    const double width = 30 + 7.9 * static_cast<double>(std::min<size_t>(name.size(), 40));
    if (x + width > area.right && x > area.left) {
      x = area.left;
      y += 20;
    }
    drawing.Add(R"svg(<g transform="translate({:.1f} {:.1f})" class="cf{}">{}</g>)svg", x + 6, y, i % kColours,
                Marker(i));
    drawing.Text(x + 16, y + 4, "start", name, "cl");
    x += width;
  }
}

double LegendHeight(const ChartFrame& frame, const std::vector<Series>& series, double left) {
  if (series.size() < 2) return 8;
  double x = left, rows = 1;
  for (const Series& one : series) {
    const double width = 30 + 7.9 * static_cast<double>(std::min<size_t>(Shorten(one.name, 40).size(), 40));
    if (x + width > frame.width - 16 && x > left) {
      x = left;
      ++rows;
    }
    x += width;
  }
  return rows * 20 + 14;
}

void DrawIntervals(Drawing& drawing, const Series& series, size_t colour, const Scale& x, const Scale& y, bool log_x) {
  if (series.low.size() != series.x.size() || series.high.size() != series.x.size()) return;
  const auto unknown = [](double value) { return !std::isfinite(value); };
  if (std::any_of(series.low.begin(), series.low.end(), unknown)) return;
  if (std::any_of(series.high.begin(), series.high.end(), unknown)) return;
  // A whisker per point, since bands would hide each other.
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (!Drawable(series, i, log_x)) continue;
    const double at = x(series.x[i]), low = y(series.low[i]), high = y(series.high[i]);
    drawing.Add(R"svg(<path d="M{0:.1f} {2:.1f}h6m-3 0V{3:.1f}m-3 0h6" class="cb{1}"/>)svg", at - 3, colour, low, high);
  }
}

void DrawLine(Drawing& drawing, const Series& series, size_t index, bool solid, const Scale& x, const Scale& y,
              bool log_x) {
  static constexpr const char* kDashes[] = {"", "7 4", "2 4", "9 4 2 4"};
  std::string points;
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (Drawable(series, i, log_x)) points += fmt::format("{:.1f},{:.1f} ", x(series.x[i]), y(series.y[i]));
  }
  drawing.Add(R"svg(<polyline points="{}" class="cs{}" stroke-dasharray="{}"/>)svg", points, index % kColours,
              series.dashed ? "7 5"
              : solid       ? ""
                            : kDashes[index % std::size(kDashes)]);
}

void DrawPoints(Drawing& drawing, const Series& series, size_t index, const Scale& x, const Scale& y, bool log_x) {
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (!Drawable(series, i, log_x)) continue;
    const std::string tip = i < series.tips.size() ? series.tips[i]
                                                   : fmt::format("{}: {}, {}", series.name, ShortNumber(series.x[i]),
                                                                 ShortNumber(series.y[i]));
    drawing.Add(R"svg(<g transform="translate({:.1f} {:.1f})" class="cf{}">{}<title>{}</title></g>)svg", x(series.x[i]),
                y(series.y[i]), index % kColours, Marker(index), Escape(tip));
  }
}

// What line and scatter charts share; `lines` tells them apart.
std::string PointChart(const ChartFrame& frame, const std::vector<Series>& series, bool lines) {
  Extent xs, ys;
  size_t points = 0;
  for (const Series& one : series) {
    for (size_t i = 0; i < one.x.size(); ++i) {
      if (!Drawable(one, i, frame.log_x)) continue;
      ++points;
      xs.Add(one.x[i]);
      ys.Add(one.y[i]);
      if (i < one.low.size()) ys.Add(one.low[i]);
      if (i < one.high.size()) ys.Add(one.high[i]);
    }
  }
  Drawing drawing(frame.title, frame.width, frame.height);
  if (xs.empty()) {
    drawing.Text(frame.width / 2, frame.height / 2, "middle", "nothing to draw", "cl");
    return std::move(drawing).Finish();
  }
  if (frame.y_from_zero) ys.Add(0);
  const std::vector<double> y_ticks = Ticks(ys.low, ys.high, 6);
  const std::vector<double> x_ticks =
      frame.log_x ? LogTicks(xs.low, xs.high) : Ticks(xs.low, xs.high, frame.width < kNarrowBelow ? 4 : 8);
  const double left = frame.y_label.empty() ? 56 : 72;
  const Area area{left, frame.width - 16, LegendHeight(frame, series, left),
                  frame.height - (frame.x_label.empty() ? 26 : 46)};
  const bool whiskers =
      lines && std::any_of(series.begin(), series.end(), [](const Series& s) { return !s.low.empty(); });
  const double step =
      whiskers ? std::min(8.0, 40.0 / static_cast<double>(series.size())) : 0;  // series stand beside each other
  const double inside = step * static_cast<double>(series.size()) / 2;
  const auto scale = [&](double aside) {
    return Scale(x_ticks.front(), x_ticks.back(), area.left + inside + aside, area.right - inside + aside, frame.log_x);
  };
  const Scale x = scale(0);
  std::vector<Scale> xs_of;
  for (size_t i = 0; i < series.size(); ++i) xs_of.push_back(scale(step * (static_cast<double>(i) + 0.5) - inside));
  const Scale y(y_ticks.front(), y_ticks.back(), area.bottom, area.top);
  DrawYAxis(drawing, frame, area, y_ticks, y);
  for (const double tick : x_ticks) drawing.Text(x(tick), area.bottom + 18, "middle", ShortNumber(tick));
  DrawXLabel(drawing, frame, area);
  if (series.size() > 1) DrawLegend(drawing, area, series);
  for (size_t i = 0; lines && i < series.size(); ++i)
    DrawIntervals(drawing, series[i], i % kColours, xs_of[i], y, frame.log_x);
  const bool solid = std::any_of(series.begin(), series.end(), [](const Series& one) { return one.dashed; });
  for (size_t i = 0; lines && i < series.size(); ++i) DrawLine(drawing, series[i], i, solid, xs_of[i], y, frame.log_x);
  const bool crowded = lines && points > 60 * series.size();  // a long curve needs no dots
  for (size_t i = 0; !crowded && i < series.size(); ++i) DrawPoints(drawing, series[i], i, xs_of[i], y, frame.log_x);
  return std::move(drawing).Finish();
}

}  // namespace

std::string LineChart(const ChartFrame& frame, const std::vector<Series>& series) {
  return ForEveryScreen(frame, [&](const ChartFrame& sized) { return PointChart(sized, series, true); });
}

std::string ScatterChart(const ChartFrame& frame, const std::vector<Series>& series) {
  return ForEveryScreen(frame, [&](const ChartFrame& sized) { return PointChart(sized, series, false); });
}

}  // namespace tada
