#include "learn/near_index.h"

#include <algorithm>
#include <bit>

namespace tada {
namespace {

constexpr uint32_t kLeafPoints = 8;
constexpr uint32_t kMaxLeaves = 192;  // a search: 1,500 points

}  // namespace

// What a search has found so far: a heap with the farthest on top.
struct NearIndex::Search {
  uint32_t query, count;
  uint32_t leaves = 0;
  bool cut_short = false;
  std::vector<std::pair<double, uint32_t>> heap;

  bool Wants(double bound) const { return heap.size() < count || bound < heap.front().first; }
  void Offer(double distance, uint32_t point) {
    const std::pair<double, uint32_t> item(distance, point);
    if (heap.size() == count) {
      if (!(item < heap.front())) return;
      std::pop_heap(heap.begin(), heap.end());
      heap.back() = item;
    } else {
      heap.push_back(item);
    }
    std::push_heap(heap.begin(), heap.end());
  }
};

NearIndex::NearIndex(const MixedPoints& points, std::vector<uint32_t> members)
    : points_(points), members_(std::move(members)) {
  if (!members_.empty()) Build(0, static_cast<uint32_t>(members_.size()));
}

void NearIndex::Measure(uint32_t node, uint32_t begin, uint32_t end) {
  const uint32_t numbers = points_.num_numbers, names = points_.num_names;
  extents_.resize((node + 1) * size_t{2} * numbers);
  values_.resize((node + 1) * size_t{names});
  double* extent = extents_.data() + node * size_t{2} * numbers;
  uint64_t* values = values_.data() + node * size_t{names};
  for (uint32_t j = 0; j < numbers; ++j) {
    extent[2 * j] = 2;
    extent[2 * j + 1] = kMissingNumber;
  }
  for (uint32_t j = 0; j < names; ++j) values[j] = points_.name_values[j] > 64 ? ~uint64_t{0} : 0;
  for (uint32_t i = begin; i < end; ++i) {
    const double* x = points_.NumbersOf(members_[i]);
    for (uint32_t j = 0; j < numbers; ++j) {
      extent[2 * j] = std::min(extent[2 * j], x[j]);
      extent[2 * j + 1] = std::max(extent[2 * j + 1], x[j]);
    }
    const Code* v = points_.NamesOf(members_[i]);
    for (uint32_t j = 0; j < names; ++j) values[j] |= uint64_t{1} << (v[j] & 63);
  }
}

uint32_t NearIndex::Build(uint32_t begin, uint32_t end) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({begin, end, 0, 0});
  Measure(node, begin, end);
  if (end - begin <= kLeafPoints) return node;
  // Cut the widest column in the middle of its points.
  double widest = -1;
  uint32_t column = 0;
  for (uint32_t j = 0; j < points_.num_numbers; ++j) {
    const double* extent = extents_.data() + node * size_t{2} * points_.num_numbers + 2 * j;
    if (extent[1] - extent[0] > widest) widest = extent[1] - extent[0], column = j;
  }
  for (uint32_t j = 0; j < points_.num_names; ++j) {
    const uint64_t values = values_[node * size_t{points_.num_names} + j];
    const double span = (std::popcount(values) - 1) * points_.name_steps[j];
    if (span > widest) widest = span, column = points_.num_numbers + j;
  }
  const auto key = [&](uint32_t point) {
    return column < points_.num_numbers ? points_.NumbersOf(point)[column]
                                        : static_cast<double>(points_.NamesOf(point)[column - points_.num_numbers]);
  };
  const uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(members_.begin() + begin, members_.begin() + middle, members_.begin() + end,
                   [&](uint32_t a, uint32_t b) {
                     const double x = key(a), y = key(b);
                     return x != y ? x < y : a < b;
                   });
  const uint32_t left = Build(begin, middle);
  const uint32_t right = Build(middle, end);
  nodes_[node].left = left;
  nodes_[node].right = right;
  return node;
}

double NearIndex::Bound(uint32_t node, uint32_t query) const {
  double sum = 0;
  const double* x = points_.NumbersOf(query);
  const double* extent = extents_.data() + node * size_t{2} * points_.num_numbers;
  for (uint32_t j = 0; j < points_.num_numbers; ++j) {
    sum += std::min(1.0, std::max({0.0, extent[2 * j] - x[j], x[j] - extent[2 * j + 1]}));
  }
  const Code* v = points_.NamesOf(query);
  const uint64_t* values = values_.data() + node * size_t{points_.num_names};
  for (uint32_t j = 0; j < points_.num_names; ++j) {
    sum += (values[j] >> (v[j] & 63) & 1) != 0 ? 0.0 : points_.name_steps[j];
  }
  return sum;
}

void NearIndex::Visit(uint32_t index, Search& search) const {
  const Node& node = nodes_[index];
  if (node.left == 0) {
    ++search.leaves;
    for (uint32_t i = node.begin; i < node.end; ++i) {
      if (members_[i] != search.query) search.Offer(points_.Distance(search.query, members_[i]), members_[i]);
    }
    return;
  }
  uint32_t near = node.left, far = node.right;
  double near_bound = Bound(near, search.query), far_bound = Bound(far, search.query);
  if (far_bound < near_bound) std::swap(near, far), std::swap(near_bound, far_bound);
  if (search.Wants(near_bound)) Visit(near, search);
  if (!search.Wants(far_bound)) return;
  if (search.leaves >= kMaxLeaves) {
    search.cut_short = true;
    return;
  }
  Visit(far, search);
}

void NearIndex::Nearest(uint32_t query, uint32_t count, std::vector<uint32_t>& found) const {
  found.clear();
  if (members_.empty() || count == 0) return;
  Search search{query, count, 0, false, {}};
  search.heap.reserve(count);
  Visit(0, search);
  if (search.cut_short) cut_short_.fetch_add(1, std::memory_order_relaxed);
  std::sort_heap(search.heap.begin(), search.heap.end());
  for (const auto& [distance, point] : search.heap) found.push_back(point);
}

}  // namespace tada
