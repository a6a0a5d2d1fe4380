#include "report/draw/svg_chart.h"

#include <algorithm>
#include <cmath>

#include "report/draw/svg_drawing.h"

namespace tada {

namespace {

constexpr size_t kLongestLabel = 44;
constexpr double kPerLetter = 7.9, kPerBoldLetter = 10.2;  // of the widest font that a page may have to make do with

double Largest(const std::vector<Bar>& bars, double given) {
  double maximum = given;
  for (size_t i = 0; given == 0 && i < bars.size(); ++i) maximum = std::max(maximum, bars[i].value);
  return maximum > 0 ? maximum : 1;
}

void DrawBar(Drawing& drawing, const Bar& bar, double maximum, double left, double right, double top, double thick) {
  const double share = std::isfinite(bar.value) ? std::clamp(bar.value / maximum, 0.0, 1.0) : 0.0;
  drawing.Add(R"svg(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="4" class="ctrack"/>)svg", left, top,
              right - left, thick);
  drawing.Add(
      R"svg(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="4" class="cf0"><title>{}: {}</title></rect>)svg",
      left, top, share * (right - left), thick, Escape(bar.label), Escape(bar.text));
}

std::string WideBars(const ChartFrame& frame, const std::vector<Bar>& bars, double maximum) {
  constexpr double kStep = 34, kThick = 18;
  size_t longest = 4, longest_text = 4;
  for (const Bar& bar : bars) {
    longest = std::max(longest, std::min<size_t>(kLongestLabel, bar.label.size()));
    longest_text = std::max(longest_text, bar.text.size());
  }
  const double left = 12 + kPerLetter * static_cast<double>(longest),
               right = frame.width - 10 - kPerBoldLetter * static_cast<double>(longest_text);
  const double height = kStep * static_cast<double>(bars.size()) + (frame.x_label.empty() ? 4 : 26);
  Drawing drawing(frame.title, frame.width, height);
  for (size_t i = 0; i < bars.size(); ++i) {
    const double top = kStep * static_cast<double>(i) + 8, middle = top + kThick / 2 + 4.5;
    drawing.Text(left - 10, middle, "end", Shorten(bars[i].label, kLongestLabel), "cl");
    DrawBar(drawing, bars[i], maximum, left, right, top, kThick);
    drawing.Text(right + 10, middle, "start", bars[i].text, "cv");
  }
  if (!frame.x_label.empty()) drawing.Text(left, height - 6, "start", frame.x_label);
  return std::move(drawing).Finish();
}

// The name and the figure stand above their bar.
std::string NarrowBars(const ChartFrame& frame, const std::vector<Bar>& bars, double maximum) {
  constexpr double kStep = 42, kThick = 12;
  const double height = kStep * static_cast<double>(bars.size()) + (frame.x_label.empty() ? 4 : 26);
  Drawing drawing(frame.title, frame.width, height);
  for (size_t i = 0; i < bars.size(); ++i) {
    const double top = kStep * static_cast<double>(i) + 4;
    const double room = frame.width - 12 - kPerBoldLetter * static_cast<double>(bars[i].text.size());
    drawing.Text(0, top + 12, "start", Shorten(bars[i].label, static_cast<size_t>(room / kPerLetter)), "cl");
    drawing.Text(frame.width, top + 12, "end", bars[i].text, "cv");
    DrawBar(drawing, bars[i], maximum, 0, frame.width, top + 18, kThick);
  }
  if (!frame.x_label.empty()) drawing.Text(0, height - 6, "start", frame.x_label);
  return std::move(drawing).Finish();
}

}  // namespace

std::string BarChart(const ChartFrame& frame, const std::vector<Bar>& bars, double given) {
  const double maximum = Largest(bars, given);
  return ForEveryScreen(frame, [&](const ChartFrame& sized) {
    return sized.width < kNarrowBelow ? NarrowBars(sized, bars, maximum) : WideBars(sized, bars, maximum);
  });
}

namespace {

std::string DrawHistogram(const ChartFrame& frame, const std::vector<HistogramBin>& bins) {
  double most = 0;
  for (const HistogramBin& bin : bins) most = std::max(most, bin.count);
  Drawing drawing(frame.title, frame.width, frame.height);
  const Area area{frame.y_label.empty() ? 56.0 : 72.0, frame.width - 16, 14,
                  frame.height - (frame.x_label.empty() ? 26 : 46)};
  const std::vector<double> ticks = Ticks(0, most, 5);
  const Scale y(ticks.front(), ticks.back(), area.bottom, area.top);
  DrawYAxis(drawing, frame, area, ticks, y);
  const double step = (area.right - area.left) / static_cast<double>(std::max<size_t>(1, bins.size()));
  const double bar = std::min(64.0, step * 0.82);
  size_t longest = 1;
  for (const HistogramBin& bin : bins) longest = std::max(longest, bin.label.size());
  const auto every =
      static_cast<size_t>(std::ceil((kPerLetter * static_cast<double>(longest) + 8) / step));  // labels that fit
  for (size_t i = 0; i < bins.size(); ++i) {
    const double middle = area.left + step * (static_cast<double>(i) + 0.5), top = y(bins[i].count);
    drawing.Add(
        R"svg(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="3" class="cf0"><title>{}: {}</title></rect>)svg",
        middle - bar / 2, top, bar, area.bottom - top, Escape(bins[i].label), ShortNumber(bins[i].count));
    if (i % every == 0) drawing.Text(middle, area.bottom + 18, "middle", bins[i].label);
  }
  DrawXLabel(drawing, frame, area);
  return std::move(drawing).Finish();
}

}  // namespace

std::string Histogram(const ChartFrame& frame, const std::vector<HistogramBin>& bins) {
  return ForEveryScreen(frame, [&](const ChartFrame& sized) { return DrawHistogram(sized, bins); });
}

std::string ChartStyle() {
  // The page's colours (web/src/app.css); marks differ in shape too.
  static constexpr const char* kLight[] = {"#1c55b5", "#b5530b", "#6b3fa0", "#0c6b62",
                                           "#8a5200", "#4a4f57", "#2793bf", "#a81e55"};
  static constexpr const char* kDark[] = {"#84b4ff", "#f5a35c", "#c3a1f2", "#63d2c3",
                                          "#f0b45f", "#aab2bd", "#7fd1f2", "#ff94b8"};
  std::string light, dark, classes;
  for (size_t i = 0; i < std::size(kLight); ++i) {
    light += fmt::format("--c{}:{};", i, kLight[i]);
    dark += fmt::format("--c{}:{};", i, kDark[i]);
    classes += fmt::format(
        ".cf{0}{{fill:var(--c{0})}}.cs{0}{{fill:none;stroke:var(--c{0});stroke-width:2.2}}"
        ".cb{0}{{fill:none;stroke:var(--c{0});stroke-width:1.4;opacity:.75}}\n",
        i);
  }
  return ":root{" + light + "--ctext:#656c73;--cstrong:#191c1f;--cgrid:#e2e2db}\n" +
         "@media screen and (prefers-color-scheme:dark){:root{" + dark +
         "--ctext:#929ba3;--cstrong:#eceff1;--cgrid:#2a3035}}\n" +
         ".chart{display:block;width:100%;height:auto;overflow:visible;font:12px Geist,system-ui,sans-serif}"
         ".chart.narrow{display:none}@media screen and (max-width:640px){.chart.narrow{display:block}"
         ".chart.wide{display:none}}\n"
         ".ct{fill:var(--ctext)}.cl{fill:var(--ctext);font-size:13px}.cv{fill:var(--cstrong);font-size:13px;font-"
         "weight:600}\n"
         ".cg{stroke:var(--cgrid);stroke-width:1}.ctrack{fill:var(--cgrid);opacity:.55}\n" +
         classes;
}

}  // namespace tada
