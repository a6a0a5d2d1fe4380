#pragma once

// Charts as inline SVG, for reports that must work without a network: no scripts, no fonts of their own. Colours are CSS
// classes (ChartStyle), so that one drawing serves light, dark and paper; values show as tooltips. Series differ by colour
// and by dash or marker, so that they can be told apart in grey.
//   frame   size, axis labels and what a screen reader says.      series   one line or cloud of a chart, named in the legend.
//   band    a range around a line, e.g. a deviation over repetitions.
// Every chart is drawn twice, for a screen and for a phone, so that nothing is small or has to be moved sideways; a page shows one.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/note_section.h"

namespace tada {

struct ChartFrame {
  std::string title;  ///< read to those who cannot see the chart
  std::string x_label, y_label;
  double width = 760, height = 300;
  bool log_x = false;       ///< of line and scatter charts; needs positive x
  bool y_from_zero = true;  ///< of line and scatter charts
  bool y_is_share = false;  ///< writes 0.25 as 25%
};

/// Horizontal bars, one below the other, from 0 to `maximum` (0: the largest value). The height follows the bars.
std::string BarChart(const ChartFrame& frame, const std::vector<Bar>& bars, double maximum = 0);

struct HistogramBin {
  std::string label;  ///< "10" or "10-19"
  double count = 0;
};

/// Upright bars side by side.
std::string Histogram(const ChartFrame& frame, const std::vector<HistogramBin>& bins);

/// Bins for sizes (size, how many), ascending: one per size if they are few and near each other, else of equal width, else,
/// when the largest is far above the smallest, each twice (or more) as wide as the one before. At most `most`, no gaps.
std::vector<HistogramBin> BinSizes(const std::vector<std::pair<uint64_t, uint64_t>>& sizes, size_t most = 24);

/// Lines through points, with bands and a legend when there are several.
std::string LineChart(const ChartFrame& frame, const std::vector<Series>& series);

/// Points without lines.
std::string ScatterChart(const ChartFrame& frame, const std::vector<Series>& series);

/// The CSS that the classes of all charts need; once per page.
std::string ChartStyle();

}  // namespace tada
