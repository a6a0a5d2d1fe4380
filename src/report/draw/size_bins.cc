#include <fmt/format.h>

#include <algorithm>

#include "report/draw/svg_chart.h"

namespace tada {
namespace {

// The first size of every bin, and behind them the first size beyond the last.
std::vector<uint64_t> EqualEdges(uint64_t first, uint64_t last, uint64_t most) {
  uint64_t width = 1;
  for (uint64_t power = 1; last / width - first / width >= most; power *= 10) {
    for (const uint64_t factor : {1, 2, 5}) {
      width = factor * power;
      if (last / width - first / width < most) break;
    }
  }
  std::vector<uint64_t> edges;
  for (uint64_t edge = first / width; edge <= last / width + 1; ++edge) edges.push_back(edge * width);
  return edges;
}

std::vector<uint64_t> GrowingEdges(uint64_t first, uint64_t last, uint64_t most) {
  for (uint64_t factor = 2;; factor *= 2) {
    std::vector<uint64_t> edges{first};
    while (edges.back() <= last) edges.push_back(edges.back() * factor);
    if (edges.size() <= most + 1) return edges;
  }
}

}  // namespace

std::vector<HistogramBin> BinSizes(const std::vector<std::pair<uint64_t, uint64_t>>& sizes, size_t most) {
  std::vector<HistogramBin> bins;
  if (sizes.empty()) return bins;
  const uint64_t first = std::max<uint64_t>(1, sizes.front().first), last = std::max(first, sizes.back().first);
  const bool far = last / first >= 32 && last - first >= most;
  const std::vector<uint64_t> edges = far ? GrowingEdges(first, last, most) : EqualEdges(first, last, most);
  size_t next = 0;
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    HistogramBin bin;
    const uint64_t low = edges[i], high = edges[i + 1] - 1;
    bin.label = low == high ? std::to_string(low) : fmt::format("{}\xE2\x80\x93{}", low, high);
    while (next < sizes.size() && sizes[next].first <= high) bin.count += static_cast<double>(sizes[next++].second);
    bins.push_back(std::move(bin));
  }
  return bins;
}

}  // namespace tada
