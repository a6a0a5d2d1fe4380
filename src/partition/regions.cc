#include "partition/regions.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace tada {
namespace {

// Where a group lies: the mean of each number, the first row's value of each name, both on the scale of spans.
std::vector<float> Centres(const SearchRows& rows, const GroupLists& groups) {
  const MixedPoints& points = rows.tuples;
  const size_t width = points.num_numbers + points.num_names;
  std::vector<float> centres(groups.size() * width);
  for (size_t g = 0; g < groups.size(); ++g) {
    float* centre = centres.data() + g * width;
    for (uint32_t j = 0; j < points.num_numbers; ++j) {
      double sum = 0;
      for (const uint32_t row : groups[g]) sum += points.NumbersOf(rows.tuple_of[row])[j];
      centre[j] = static_cast<float>(sum / static_cast<double>(groups[g].size()));
    }
    const Code* names = points.NamesOf(rows.tuple_of[groups[g][0]]);
    for (uint32_t j = 0; j < points.num_names; ++j) {
      centre[points.num_numbers + j] = static_cast<float>(names[j] * points.name_steps[j]);
    }
  }
  return centres;
}

class RegionCutter {
 public:
  RegionCutter(const SearchRows& rows, const GroupLists& groups, uint64_t max_rows, uint64_t seed)
      : groups_(groups), width_(rows.tuples.num_numbers + rows.tuples.num_names), max_rows_(max_rows), random_(seed),
        centres_(Centres(rows, groups)), order_(groups.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
  }

  std::vector<std::vector<uint32_t>> Cut() {
    std::vector<std::pair<size_t, size_t>> stack{{0, order_.size()}};
    std::vector<std::vector<uint32_t>> regions;
    while (!stack.empty()) {
      const auto [begin, end] = stack.back();
      stack.pop_back();
      uint64_t rows = 0;
      for (size_t i = begin; i < end; ++i) rows += groups_[order_[i]].size();
      if (rows <= max_rows_ || end - begin < 2) {
        regions.emplace_back(order_.begin() + static_cast<ptrdiff_t>(begin), order_.begin() + static_cast<ptrdiff_t>(end));
        continue;
      }
      const size_t middle = CutOne(begin, end, rows);
      stack.push_back({middle, end});
      stack.push_back({begin, middle});
    }
    return regions;
  }

 private:
  // Orders the groups by a column, drawn with the odds of its width, and cuts somewhere near the middle of the rows.
  size_t CutOne(size_t begin, size_t end, uint64_t rows) {
    const uint32_t column = DrawColumn(begin, end);
    const auto at = [&](uint32_t group) { return centres_[group * width_ + column]; };
    std::sort(order_.begin() + static_cast<ptrdiff_t>(begin), order_.begin() + static_cast<ptrdiff_t>(end),
              [&](uint32_t a, uint32_t b) { return at(a) != at(b) ? at(a) < at(b) : a < b; });
    const double wanted = static_cast<double>(rows) * (0.4 + 0.2 * random_.Unit());
    uint64_t seen = 0;
    size_t middle = begin;
    while (middle + 1 < end && static_cast<double>(seen) < wanted) seen += groups_[order_[middle++]].size();
    return std::max(middle, begin + 1);
  }

  uint32_t DrawColumn(size_t begin, size_t end) {
    std::vector<double> spreads(width_);
    double sum = 0;
    for (uint32_t j = 0; j < width_; ++j) {
      float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
      for (size_t i = begin; i < end; ++i) {
        low = std::min(low, centres_[order_[i] * width_ + j]);
        high = std::max(high, centres_[order_[i] * width_ + j]);
      }
      sum += spreads[j] = static_cast<double>(high) - low;
    }
    double drawn = random_.Unit() * sum;
    for (uint32_t j = 0; j < width_; ++j) {
      if (drawn < spreads[j]) return j;
      drawn -= spreads[j];
    }
    return 0;
  }

  const GroupLists& groups_;
  const size_t width_;
  const uint64_t max_rows_;
  Random random_;
  std::vector<float> centres_;
  std::vector<uint32_t> order_;
};

}  // namespace

std::vector<std::vector<uint32_t>> CutRegions(const SearchRows& rows, const GroupLists& groups, uint64_t max_rows,
                                              uint64_t seed) {
  return RegionCutter(rows, groups, max_rows, seed).Cut();
}

}  // namespace tada
