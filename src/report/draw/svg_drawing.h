#pragma once

// What the charts share: a drawing under construction, and axes. Only svg_*.cc include it.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "report/draw/chart_axis.h"
#include "report/draw/html_text.h"
#include "report/draw/svg_chart.h"

namespace tada {

/// A frame below this width is for a phone: names stand above their bars.
inline constexpr double kNarrowBelow = 500;

/// The same chart twice, for a screen and for a phone, in the size at which each is read; the page shows one of them (ChartStyle).
template <class Draw>
std::string ForEveryScreen(const ChartFrame& frame, Draw&& draw) {
  ChartFrame narrow = frame;
  narrow.width = 330;
  narrow.height = std::min(frame.height, 240.0);
  return draw(frame) + draw(narrow);
}

/// One drawing: collects elements, and closes the svg at the end.
class Drawing {
 public:
  Drawing(const std::string& title, double width, double height) {
    Add(R"svg(<svg class="chart {}" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">)svg",
        width < kNarrowBelow ? "narrow" : "wide", width, height, Escape(title));
  }
  template <class... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }
  void Text(double x, double y, const char* anchor, const std::string& text, const char* css = "ct") {
    Add(R"svg(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" class="{}">{}</text>)svg", x, y, anchor, css, Escape(text));
  }
  std::string Finish() && { return std::move(svg_) + "</svg>"; }

 private:
  std::string svg_;
};

/// The first `most` characters of UTF-8 text, with an ellipsis if there were more.
std::string Shorten(const std::string& text, size_t most);

/// Where the data go, inside the axes.
struct Area {
  double left, right, top, bottom;
};

void DrawYAxis(Drawing& drawing, const ChartFrame& frame, const Area& area, const std::vector<double>& ticks,
               const Scale& y);
void DrawXLabel(Drawing& drawing, const ChartFrame& frame, const Area& area);

}  // namespace tada
