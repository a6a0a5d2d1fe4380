#include "learn/neighbours/point_tree.h"

#include <algorithm>
#include <array>

namespace tada {
namespace {

constexpr uint32_t kLeafPoints = 12;

// Nodes to look at, by their bounds. Halving leaves no more than a level's sibling on it, so it needs no memory of its own.
class Stack {
 public:
  struct Item {
    double bound;
    uint32_t node;
  };
  void emplace_back(double bound, uint32_t node) { items_[size_++] = {bound, node}; }
  Item back() const { return items_[size_ - 1]; }
  void pop_back() { --size_; }
  bool empty() const { return size_ == 0; }

 private:
  static constexpr size_t kMostLevels = 34;  // of 2^32 members, and one for the pair
  std::array<Item, kMostLevels> items_;
  size_t size_ = 0;
};

}  // namespace

PointTree::PointTree(const WeightedPoints& points, std::vector<uint32_t> members)
    : points_(points), members_(std::move(members)) {
  if (!members_.empty()) Build(0, static_cast<uint32_t>(members_.size()));
  placed_.width = points.width;
  placed_.at.reserve(members_.size() * points.width);
  for (const uint32_t member : members_) {
    placed_.at.insert(placed_.at.end(), points.Point(member), points.Point(member) + points.width);
    placed_.weights.push_back(points.weights[member]);
  }
}

uint32_t PointTree::Build(uint32_t begin, uint32_t end) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  const size_t width = points_.width;
  nodes_.push_back({begin, end, 0, 0});
  boxes_.resize((node + 1) * 2 * width);
  size_t widest = 0;
  double widest_by = 0;
  for (size_t j = 0; j < width; ++j) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (uint32_t i = begin; i < end; ++i) {
      low = std::min(low, points_.Point(members_[i])[j]);
      high = std::max(high, points_.Point(members_[i])[j]);
    }
    boxes_[(node * width + j) * 2] = low;
    boxes_[(node * width + j) * 2 + 1] = high;
    if (high - low > widest_by) widest_by = high - low, widest = j;
  }
  if (end - begin <= kLeafPoints || widest_by == 0) return node;
  const uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(members_.begin() + begin, members_.begin() + middle, members_.begin() + end,
                   [&](uint32_t a, uint32_t b) {
                     const double x = points_.Point(a)[widest], y = points_.Point(b)[widest];
                     return x != y ? x < y : a < b;
                   });
  const uint32_t left = Build(begin, middle);
  const uint32_t right = Build(middle, end);
  nodes_[node].left = left;
  nodes_[node].right = right;
  return node;
}

double PointTree::SquaredBound(uint32_t node, const double* from) const {
  double sum = 0;
  const double* box = boxes_.data() + node * 2 * points_.width;
  for (size_t j = 0; j < points_.width; ++j) {
    const double outside = std::max({0.0, box[2 * j] - from[j], from[j] - box[2 * j + 1]});
    sum += outside * outside;
  }
  return sum;
}

double PointTree::SquaredReach(const double* from, uint64_t weight) const {
  // A heap of what is nearest so far; what lies beyond the wanted weight is dropped from its far end.
  std::vector<std::pair<double, uint32_t>> heap;  // squared distance, weight
  uint64_t held = 0;
  const auto limit = [&] { return held >= weight ? heap.front().first : std::numeric_limits<double>::infinity(); };
  const auto offer = [&](uint32_t place) {
    const double distance = placed_.SquaredDistanceUpTo(limit(), place, from);
    if (distance >= limit()) return;
    heap.emplace_back(distance, placed_.weights[place]);
    std::push_heap(heap.begin(), heap.end());
    held += placed_.weights[place];
    while (held - heap.front().second >= weight) {
      held -= heap.front().second;
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
  };
  Stack stack;
  if (!nodes_.empty()) stack.emplace_back(SquaredBound(0, from), 0);
  while (!stack.empty()) {
    const auto [bound, index] = stack.back();
    stack.pop_back();
    if (bound >= limit()) continue;
    const Node& node = nodes_[index];
    if (node.left == 0) {
      for (uint32_t i = node.begin; i < node.end; ++i) offer(i);
      continue;
    }
    const double left = SquaredBound(node.left, from), right = SquaredBound(node.right, from);
    const bool left_first = left <= right;
    stack.emplace_back(left_first ? right : left, left_first ? node.right : node.left);
    stack.emplace_back(left_first ? left : right, left_first ? node.left : node.right);
  }
  return limit();
}

PointTree::Found PointTree::Nearest(const double* from, uint32_t near, double squared_radius) const {
  Found best{UINT32_MAX, squared_radius};
  if (near != UINT32_MAX) {
    const double distance = points_.SquaredDistance(near, from);
    if (distance <= squared_radius) best = {near, distance};
  }
  Stack stack;
  if (!nodes_.empty()) stack.emplace_back(SquaredBound(0, from), 0);
  while (!stack.empty()) {
    const auto [bound, index] = stack.back();
    stack.pop_back();
    if (bound > best.squared_distance) continue;
    const Node& node = nodes_[index];
    if (node.left == 0) {
      for (uint32_t i = node.begin; i < node.end; ++i) {
        const double distance = placed_.SquaredDistanceUpTo(best.squared_distance, i, from);
        if (distance < best.squared_distance || (distance == best.squared_distance && members_[i] < best.member)) {
          best = {members_[i], distance};
        }
      }
      continue;
    }
    const double left = SquaredBound(node.left, from), right = SquaredBound(node.right, from);
    const bool left_first = left <= right;
    stack.emplace_back(left_first ? right : left, left_first ? node.right : node.left);
    stack.emplace_back(left_first ? left : right, left_first ? node.left : node.right);
  }
  return best;
}

}  // namespace tada
