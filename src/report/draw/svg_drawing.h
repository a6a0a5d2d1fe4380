#pragma once

// What the charts share: a drawing under construction, and axes. Only svg_*.cc include it.

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

#include "report/draw/chart_axis.h"
#include "report/draw/html_text.h"
#include "report/draw/svg_chart.h"

namespace tada {

/// One drawing: collects elements, and closes the svg at the end.
class Drawing {
 public:
  Drawing(const std::string& title, double width, double height) {
    // On a phone a chart keeps its size, so that it can be read, and is moved sideways: by keyboard too.
    svg_ = R"(<div class="plot" tabindex="0" role="group" aria-label="Chart">)";
    Add(R"svg(<svg class="chart" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">)svg", width, height,
        Escape(title));
  }
  template <class... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }
  void Text(double x, double y, const char* anchor, const std::string& text, const char* css = "ct") {
    Add(R"svg(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" class="{}">{}</text>)svg", x, y, anchor, css, Escape(text));
  }
  std::string Finish() && { return std::move(svg_) + "</svg></div>"; }

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
