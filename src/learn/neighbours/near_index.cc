#include "learn/neighbours/near_index.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tada {
namespace {

constexpr uint32_t kLeavesPerPoint = 8;  // of those wanted

}  // namespace

// What a search has found so far: a heap with the farthest on top.
struct NearIndex::Search {
  uint32_t query, count;
  std::vector<float> numbers;  // of the query
  const Code* names;
  uint32_t leaves = 0;
  bool cut_short = false;
  std::vector<std::pair<float, uint32_t>> heap;

  bool Wants(float bound) const { return heap.size() < count || bound < heap.front().first; }
  void Offer(float distance, uint32_t point) {
    const std::pair<float, uint32_t> item(distance, point);
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
    : points_(points), steps_(points.name_steps.begin(), points.name_steps.end()), members_(std::move(members)) {
  if (members_.empty()) return;
  Build(0, static_cast<uint32_t>(members_.size()));
  FillBlocks();
}

void NearIndex::Measure(uint32_t node, uint32_t begin, uint32_t end) {
  const uint32_t numbers = points_.num_numbers, names = points_.num_names;
  extents_.resize((node + 1) * size_t{2} * numbers);
  values_.resize((node + 1) * size_t{names});
  float* extent = extents_.data() + node * size_t{2} * numbers;
  uint64_t* values = values_.data() + node * size_t{names};
  for (uint32_t j = 0; j < numbers; ++j) {
    extent[2 * j] = 2;
    extent[2 * j + 1] = static_cast<float>(kMissingNumber);
  }
  for (uint32_t j = 0; j < names; ++j) values[j] = points_.name_values[j] > 64 ? ~uint64_t{0} : 0;
  for (uint32_t i = begin; i < end; ++i) {
    const double* x = points_.NumbersOf(members_[i]);
    for (uint32_t j = 0; j < numbers; ++j) {
      extent[2 * j] = std::min(extent[2 * j], static_cast<float>(x[j]));
      extent[2 * j + 1] = std::max(extent[2 * j + 1], static_cast<float>(x[j]));
    }
    const Code* v = points_.NamesOf(members_[i]);
    for (uint32_t j = 0; j < names; ++j) values[j] |= uint64_t{1} << (v[j] & 63);
  }
}

// Points beyond the last one are copies of it, which nobody reads.
void NearIndex::FillLeaf(uint32_t begin, uint32_t end) {
  const uint32_t numbers = points_.num_numbers, names = points_.num_names;
  for (uint32_t j = 0; j < numbers; ++j) {
    for (uint32_t i = 0; i < kWidth; ++i) {
      leaf_numbers_.push_back(static_cast<float>(points_.NumbersOf(members_[std::min(begin + i, end - 1)])[j]));
    }
  }
  for (uint32_t j = 0; j < names; ++j) {
    for (uint32_t i = 0; i < kWidth; ++i) {
      leaf_names_.push_back(points_.NamesOf(members_[std::min(begin + i, end - 1)])[j]);
    }
  }
}

uint32_t NearIndex::Build(uint32_t begin, uint32_t end) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({begin, end});
  Measure(node, begin, end);
  if (end - begin <= kWidth) {
    nodes_[node].right = num_leaves();
    leaf_nodes_.push_back(node);
    FillLeaf(begin, end);
    return node;
  }
  // Cut the widest column in the middle of its points.
  double widest = -1;
  uint32_t column = 0;
  for (uint32_t j = 0; j < points_.num_numbers; ++j) {
    const float* extent = extents_.data() + node * size_t{2} * points_.num_numbers + 2 * j;
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

float NearIndex::Bound(uint32_t node, const Search& search) const {
  float sum = 0;
  const float* extent = extents_.data() + node * size_t{2} * points_.num_numbers;
  for (uint32_t j = 0; j < points_.num_numbers; ++j) {
    const float x = search.numbers[j];
    sum += std::min(1.0F, std::max(0.0F, std::max(extent[2 * j] - x, x - extent[2 * j + 1])));
  }
  const uint64_t* values = values_.data() + node * size_t{points_.num_names};
  for (uint32_t j = 0; j < points_.num_names; ++j) {
    sum += (values[j] >> (search.names[j] & 63) & 1) != 0 ? 0.0F : steps_[j];
  }
  return sum;
}

void NearIndex::VisitLeaf(const Node& node, Search& search) const {
  ++search.leaves;
  float sums[kWidth] = {};
  const float* numbers = leaf_numbers_.data() + size_t{node.right} * kWidth * points_.num_numbers;
  for (uint32_t j = 0; j < points_.num_numbers; ++j, numbers += kWidth) {
    const float x = search.numbers[j];
    for (uint32_t i = 0; i < kWidth; ++i) sums[i] += std::min(1.0F, std::abs(numbers[i] - x));
  }
  const Code* names = leaf_names_.data() + size_t{node.right} * kWidth * points_.num_names;
  for (uint32_t j = 0; j < points_.num_names; ++j, names += kWidth) {
    const Code value = search.names[j];
    const float step = steps_[j];
    for (uint32_t i = 0; i < kWidth; ++i) sums[i] += names[i] == value ? 0.0F : step;
  }
  for (uint32_t i = 0; i < node.end - node.begin; ++i) {
    const uint32_t point = members_[node.begin + i];
    if (point != search.query) search.Offer(sums[i], point);
  }
}

void NearIndex::Visit(uint32_t index, Search& search) const {
  const Node& node = nodes_[index];
  if (node.left == 0) return VisitLeaf(node, search);
  uint32_t near = node.left, far = node.right;
  float near_bound = Bound(near, search), far_bound = Bound(far, search);
  if (far_bound < near_bound) std::swap(near, far), std::swap(near_bound, far_bound);
  if (search.Wants(near_bound)) Visit(near, search);
  if (!search.Wants(far_bound)) return;
  if (search.leaves >= kLeavesPerPoint * search.count) {
    search.cut_short = true;
    return;
  }
  Visit(far, search);
}

void NearIndex::Nearest(uint32_t query, uint32_t count, std::vector<uint32_t>& found) const {
  found.clear();
  if (members_.empty() || count == 0) return;
  const double* x = points_.NumbersOf(query);
  Search search{query, count, {x, x + points_.num_numbers}, points_.NamesOf(query), 0, false, {}};
  search.heap.reserve(count);
  Visit(0, search);
  if (search.cut_short) cut_short_.fetch_add(1, std::memory_order_relaxed);
  std::sort_heap(search.heap.begin(), search.heap.end());
  for (const auto& [distance, point] : search.heap) found.push_back(point);
}

void NearIndex::Within(uint32_t query, double distance, std::vector<uint32_t>& found) const {
  found.clear();
  if (members_.empty()) return;
  const double* x = points_.NumbersOf(query);
  const Search search{query, 0, {x, x + points_.num_numbers}, points_.NamesOf(query), 0, false, {}};
  // Rounded numbers and sums are off by less than this: there are at most a few hundred columns.
  const auto most = static_cast<float>(distance + 1e-4);
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    const uint32_t index = open.back();
    open.pop_back();
    if (Bound(index, search) > most) continue;
    const Node& node = nodes_[index];
    if (node.left != 0) {
      open.push_back(node.right);
      open.push_back(node.left);
      continue;
    }
    for (uint32_t i = node.begin; i < node.end; ++i) {
      if (points_.Distance(query, members_[i]) <= distance + 1e-4) found.push_back(members_[i]);
    }
  }
}

}  // namespace tada
