#include "learn/neighbours/lane_tree.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace tada {
namespace {

Points InOrder(const Points& points, std::span<const uint32_t> order) {
  Points sorted(points.count, points.features);
  for (size_t i = 0; i < order.size(); ++i) std::ranges::copy(points.point(order[i]), sorted.point(i).begin());
  return sorted;
}

}  // namespace

LaneTree::LaneTree(const Points& points) : order_(points.count), lanes_(Points(0, points.features)) {
  std::iota(order_.begin(), order_.end(), 0U);
  const size_t blocks = (points.count + Lanes::kWidth - 1) / Lanes::kWidth;
  if (blocks > 0) Build(points, 0, blocks);
  lanes_ = Lanes(InOrder(points, order_));
  place_of_.resize(points.count);
  for (uint32_t i = 0; i < order_.size(); ++i) place_of_[order_[i]] = i;
}

// Halves the blocks at the median of the feature that is widest there.
uint32_t LaneTree::Build(const Points& points, size_t begin_block, size_t end_block) {
  constexpr float kFar = std::numeric_limits<float>::infinity();
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({0, static_cast<uint32_t>(begin_block)});
  const size_t begin = begin_block * Lanes::kWidth, end = std::min(points.count, end_block * Lanes::kWidth);
  size_t widest = 0;
  float most = -1;
  for (size_t f = 0; f < points.features; ++f) {
    float low = kFar, high = -kFar;
    for (size_t i = begin; i < end; ++i) {
      const float x = points.values[order_[i] * points.features + f];
      low = std::min(low, x);
      high = std::max(high, x);
    }
    boxes_.push_back(std::nextafter(low, -kFar));
    boxes_.push_back(std::nextafter(high, kFar));
    if (high - low > most) {
      most = high - low;
      widest = f;
    }
  }
  if (end_block - begin_block == 1) return node;
  const size_t middle_block = begin_block + (end_block - begin_block) / 2;
  const auto at = [&](size_t i) { return order_.begin() + static_cast<ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle_block * Lanes::kWidth), at(end), [&](uint32_t a, uint32_t b) {
    const float x = points.values[a * points.features + widest], y = points.values[b * points.features + widest];
    return x != y ? x < y : a < b;
  });
  Build(points, begin_block, middle_block);
  nodes_[node].right = Build(points, middle_block, end_block);
  return node;
}

}  // namespace tada
