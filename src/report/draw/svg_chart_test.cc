#include "report/draw/svg_chart.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>

#include "report/draw/chart_axis.h"

namespace tada {
namespace {

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST(SvgChart, DrawsABarForEachValueAndEscapesItsLabel) {
  const std::string svg = BarChart({.title = "a \"b\""}, {{"<x>", 0.5, "50%"}, {"y", 2, "2"}}, 1.0);
  EXPECT_EQ(Count(svg, "class=\"cf0\""), 4u);  // for a screen and for a phone
  EXPECT_EQ(Count(svg, "&lt;x&gt;"), 4u);      // label and tooltip
  EXPECT_EQ(Count(svg, "<x>"), 0u);
  EXPECT_EQ(Count(svg, "aria-label=\"a &quot;b&quot;\""), 2u);
}

TEST(SvgChart, LeavesOutPointsThatAreNoNumbers) {
  const Series series{"s", {1, 2, NAN, 4}, {1, NAN, 3, 4}, {}, {}, {}};
  const std::string svg = LineChart({}, {series});
  EXPECT_EQ(Count(svg, "<circle"), 4u);
  EXPECT_EQ(Count(svg, "nan"), 0u);
}

TEST(SvgChart, HasALegendAndIntervalsWhenThereAreSeveralSeries) {
  const Series a{"first", {1, 10}, {1, 2}, {0, 1}, {2, 3}, {}}, b{"second", {1, 10}, {3, 4}, {}, {}, {}};
  const std::string svg = LineChart({.log_x = true}, {a, b});
  EXPECT_EQ(Count(svg, "<polyline"), 4u);
  EXPECT_EQ(Count(svg, "class=\"cb0\""), 4u);
  EXPECT_EQ(Count(svg, ">first</text>"), 2u);
  EXPECT_EQ(Count(ScatterChart({}, {a, b}), "<polyline"), 0u);
}

TEST(SvgChart, SaysSoWhenThereIsNothingToDraw) {
  EXPECT_EQ(Count(LineChart({}, {}), "nothing to draw"), 2u);
  EXPECT_EQ(Count(Histogram({}, {}), "</svg>"), 2u);
  EXPECT_EQ(Count(BarChart({}, {{"zero", 0, "0"}}), "nan"), 0u);
}

TEST(SizeBins, AreOneASizeWhenSizesAreFew) {
  const auto bins = BinSizes({{5, 2}, {8, 1}});
  ASSERT_EQ(bins.size(), 4u);
  EXPECT_EQ(bins[0].label, "5");
  EXPECT_EQ(bins[1].count, 0);
  EXPECT_EQ(bins[3].count, 1);
}

TEST(SizeBins, GrowWhenSizesAreFarApart) {
  const auto bins = BinSizes({{1, 5}, {3, 2}, {1000000, 1}});
  EXPECT_EQ(bins[0].label, "1");
  EXPECT_EQ(bins[1].label,
            "2\xE2\x80\x93"
            "3");
  EXPECT_EQ(bins.back().count, 1);
}

TEST(SizeBins, HoldEverySizeOnceInAtMostTheBinsAskedFor) {
  EXPECT_TRUE(rc::check("bins hold everything", [] {
    const auto sizes = *rc::gen::container<std::map<uint64_t, uint64_t>>(
        rc::gen::inRange<uint64_t>(1, 1ull << *rc::gen::inRange(1, 40)), rc::gen::inRange<uint64_t>(1, 100));
    double sum = 0, binned = 0;
    for (const auto& [size, count] : sizes) sum += static_cast<double>(count);
    const auto bins = BinSizes({sizes.begin(), sizes.end()});
    for (const auto& bin : bins) binned += bin.count;
    RC_ASSERT(bins.size() <= 24u);
    RC_ASSERT(sum == binned);
  }));
}

TEST(ChartAxis, ChoosesRoundTicksThatSpanTheValues) {
  EXPECT_EQ(Ticks(0, 97, 6), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(LogTicks(2, 50), (std::vector<double>{2, 5, 10, 20, 50}));
  EXPECT_EQ(LogTicks(1, 100000).size(), 6u);
}

TEST(ChartAxis, WritesNumbersForReaders) {
  EXPECT_EQ(ShortNumber(1234567), "1.23M");
  EXPECT_EQ(ShortNumber(45211), "45,211");
  EXPECT_EQ(ShortNumber(0.05), "0.05");
  EXPECT_EQ(ShortNumber(NAN), "n/a");
  EXPECT_EQ(WithCommas(1234567), "1,234,567");
  EXPECT_EQ(Percent(0.4127), "41.3%");
  EXPECT_EQ(Percent(0.00001), "<0.01%");
  EXPECT_EQ(Percent(0), "0%");
}

}  // namespace
}  // namespace tada
