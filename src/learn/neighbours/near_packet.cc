// The search of NearIndex for all members of a leaf at once.
//   packet   the up to eight points of a leaf, as queries, and what they have found.
// Blocks are taken from a queue, nearest first, and each of their leaves that may hold something is looked at by all queries
// together: bounds of eight leaves, distances of eight points from eight queries, column by column and without a branch.

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>

#include "learn/neighbours/near_index.h"

namespace tada {
namespace {

constexpr uint32_t kPacketLeavesPerPoint = 16;  // of those wanted
constexpr uint32_t kWidth = NearIndex::kWidth;
constexpr uint32_t kBlockPoints = kWidth * kWidth;
constexpr float kFar = std::numeric_limits<float>::infinity();

using Floats = float __attribute__((vector_size(4 * kWidth)));
using Words = int32_t __attribute__((vector_size(4 * kWidth)));
static_assert(sizeof(Code) == sizeof(int32_t));

// Columns of eight points or boxes.
struct Leaf {
  const float* numbers;
  const Code* names;
};

struct Shape {
  uint32_t numbers, names;
  const float* steps;
};

[[gnu::always_inline]] inline void AddAtMostOne(const Floats& x, Floats& sum) { sum += x < 1.0F ? x : Floats{} + 1.0F; }

// For each query the distances to the points of a leaf, and as bits those that are not above `most`. Terms are those of
// NearIndex::BoundOfBoxes or larger and added up in the same order, so that a bound never exceeds the distance of a point.
template <class Bits>
[[gnu::always_inline]] inline void Measure(const Leaf& queries, const Leaf& points, const Shape& shape,
                                           const float* most, float* distances, uint32_t* wanted, Bits bits) {
  Floats sums[kWidth] = {};
  const Words magnitude = Words{} + INT32_MAX;
  for (uint32_t j = 0; j < shape.numbers; ++j) {
    Floats column;
    std::memcpy(&column, points.numbers + size_t{j} * kWidth, sizeof column);
    const float* x = queries.numbers + size_t{j} * kWidth;
    for (uint32_t q = 0; q < kWidth; ++q) {
      AddAtMostOne(reinterpret_cast<Floats>(reinterpret_cast<Words>(column - x[q]) & magnitude), sums[q]);
    }
  }
  for (uint32_t j = 0; j < shape.names; ++j) {
    Words column;
    std::memcpy(&column, points.names + size_t{j} * kWidth, sizeof column);
    const Words step = reinterpret_cast<Words>(Floats{} + shape.steps[j]);
    const Code* value = queries.names + size_t{j} * kWidth;
    for (uint32_t q = 0; q < kWidth; ++q) {
      sums[q] += reinterpret_cast<Floats>((column != static_cast<int32_t>(value[q])) & step);
    }
  }
  for (uint32_t q = 0; q < kWidth; ++q) wanted[q] = bits(sums[q] <= most[q]);
  std::memcpy(distances, sums, sizeof sums);
}

void MeasureAnywhere(const Leaf& queries, const Leaf& points, const Shape& shape, const float* most, float* distances,
                     uint32_t* wanted) {
  Measure(queries, points, shape, most, distances, wanted, [](const Words& is) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < kWidth; ++i) bits |= static_cast<uint32_t>(is[i] & 1) << i;
    return bits;
  });
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void MeasureByAvx2(const Leaf& queries, const Leaf& points, const Shape& shape,
                                                   const float* most, float* distances, uint32_t* wanted) {
  Measure(queries, points, shape, most, distances, wanted, [](const Words& is) __attribute__((target("avx2"))) {
    return static_cast<uint32_t>(__builtin_ia32_movmskps256(reinterpret_cast<Floats>(is)));
  });
}
#endif

// Whether a leaf's box is nearer to some query than its `most`.
[[gnu::always_inline]] inline bool Reaches(const Leaf& queries, const float* extents, const uint64_t* values,
                                           const Shape& shape, const float* most) {
  Floats sum{}, limit;
  std::memcpy(&limit, most, sizeof limit);
  for (uint32_t j = 0; j < shape.numbers; ++j) {
    Floats x;
    std::memcpy(&x, queries.numbers + size_t{j} * kWidth, sizeof x);
    const Floats above = extents[2 * j] - x, below = x - extents[2 * j + 1], apart = above > below ? above : below;
    AddAtMostOne(apart > 0.0F ? apart : Floats{}, sum);
  }
  for (uint32_t j = 0; j < shape.names; ++j) {
    Words value;
    std::memcpy(&value, queries.names + size_t{j} * kWidth, sizeof value);
    const Words lower = Words{} + static_cast<int32_t>(values[j]),
                upper = Words{} + static_cast<int32_t>(values[j] >> 32);
    const Words half = (value & 32) == 0 ? lower : upper;
    const Words is_held = (half >> (value & 31)) & 1;
    sum += reinterpret_cast<Floats>((is_held == 0) & reinterpret_cast<Words>(Floats{} + shape.steps[j]));
  }
  const Words near = sum < limit;
  int32_t any = 0;
  for (uint32_t i = 0; i < kWidth; ++i) any |= near[i];
  return any != 0;
}

bool ReachesAnywhere(const Leaf& queries, const float* extents, const uint64_t* values, const Shape& shape,
                     const float* most) {
  return Reaches(queries, extents, values, shape, most);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) bool ReachesByAvx2(const Leaf& queries, const float* extents, const uint64_t* values,
                                                   const Shape& shape, const float* most) {
  return Reaches(queries, extents, values, shape, most);
}
#endif

// For each leaf of a block how near its box may be to that of the queries.
[[gnu::always_inline]] inline void Bound(const float* extents, const uint64_t* values, const float* block_extents,
                                         const uint32_t* block_values, const Shape& shape, float* bounds) {
  Floats sum{};
  for (uint32_t j = 0; j < shape.numbers; ++j, block_extents += 2 * kWidth) {
    Floats low, high;
    std::memcpy(&low, block_extents, sizeof low);
    std::memcpy(&high, block_extents + kWidth, sizeof high);
    const Floats above = low - extents[2 * j + 1], below = extents[2 * j] - high, apart = above > below ? above : below;
    AddAtMostOne(apart > 0.0F ? apart : Floats{}, sum);
  }
  for (uint32_t j = 0; j < shape.names; ++j, block_values += 2 * kWidth) {
    Words lower, upper;
    std::memcpy(&lower, block_values, sizeof lower);
    std::memcpy(&upper, block_values + kWidth, sizeof upper);
    const Words shared = (lower & static_cast<int32_t>(values[j])) | (upper & static_cast<int32_t>(values[j] >> 32));
    sum += reinterpret_cast<Floats>((shared == 0) & reinterpret_cast<Words>(Floats{} + shape.steps[j]));
  }
  std::memcpy(bounds, &sum, sizeof sum);
}

void BoundAnywhere(const float* extents, const uint64_t* values, const float* block_extents,
                   const uint32_t* block_values, const Shape& shape, float* bounds) {
  Bound(extents, values, block_extents, block_values, shape, bounds);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void BoundByAvx2(const float* extents, const uint64_t* values,
                                                 const float* block_extents, const uint32_t* block_values,
                                                 const Shape& shape, float* bounds) {
  Bound(extents, values, block_extents, block_values, shape, bounds);
}
#endif

// The loops for this processor; all give the same bits.
struct Loops {
  decltype(&MeasureAnywhere) measure = &MeasureAnywhere;
  decltype(&BoundAnywhere) bound = &BoundAnywhere;
  decltype(&ReachesAnywhere) reaches = &ReachesAnywhere;
};

Loops FastestLoops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return {&MeasureByAvx2, &BoundByAvx2, &ReachesByAvx2};
#endif
  return {};
}

// Distances are not negative, so their bits are ordered as they are; of equally near points the lower id is nearer.
uint64_t PacketKeyOf(float distance, uint32_t id) { return uint64_t{std::bit_cast<uint32_t>(distance)} << 32 | id; }
float DistanceOf(uint64_t key) { return std::bit_cast<float>(static_cast<uint32_t>(key >> 32)); }
uint32_t IdOf(uint64_t key) { return static_cast<uint32_t>(key); }

// Puts a key into a sorted list, from which the last one falls out.
void Insert(uint64_t key, uint64_t* list, uint32_t count) {
  uint32_t at = count - 1;
  if (key >= list[at]) return;
  for (; at > 0 && list[at - 1] > key; --at) list[at] = list[at - 1];
  list[at] = key;
}

}  // namespace

struct NearIndex::Packet {
  uint32_t leaf, node, count, size;
  Leaf queries;
  Shape shape;
  Loops loops;
  std::vector<uint64_t> keys;  // by query: the nearest so far, nearest first
  float farthest[kWidth];      // by query: of its list; below all distances where there is no query
  float widest = kFar;         // the largest of these
  uint32_t leaves = 0;         // looked at
};

void NearIndex::FillBlocks() {
  const uint32_t numbers = points_.num_numbers, names = points_.num_names;
  std::vector<uint32_t> open{0};
  uint32_t leaf = 0;
  while (!open.empty()) {
    Node& node = nodes_[open.back()];
    open.pop_back();
    if (node.size() > kBlockPoints) {
      open.push_back(node.right);
      open.push_back(node.left);
      continue;
    }
    const size_t block = node.block = static_cast<uint32_t>(first_leaf_.size());
    first_leaf_.push_back(leaf);
    block_extents_.resize((block + 1) * 2 * kWidth * numbers);
    block_values_.resize((block + 1) * 2 * kWidth * names);
    for (uint32_t at = 0; leaf < num_leaves() && nodes_[leaf_nodes_[leaf]].end <= node.end; ++at, ++leaf) {
      const size_t of = leaf_nodes_[leaf];
      for (uint32_t j = 0; j < 2 * numbers; ++j)
        block_extents_[(block * 2 * numbers + j) * kWidth + at] = extents_[of * 2 * numbers + j];
      for (uint32_t j = 0; j < 2 * names; ++j) {
        block_values_[(block * 2 * names + j) * kWidth + at] =
            static_cast<uint32_t>(values_[of * names + j / 2] >> (j % 2 * 32));
      }
    }
  }
  first_leaf_.push_back(leaf);
}

// No point of one node is nearer to one of the other than this.
float NearIndex::BoundOfBoxes(uint32_t a, uint32_t b) const {
  float sum = 0;
  const float* of_a = extents_.data() + a * size_t{2} * points_.num_numbers;
  const float* of_b = extents_.data() + b * size_t{2} * points_.num_numbers;
  for (uint32_t j = 0; j < points_.num_numbers; ++j) {
    sum += std::min(1.0F, std::max(0.0F, std::max(of_b[2 * j] - of_a[2 * j + 1], of_a[2 * j] - of_b[2 * j + 1])));
  }
  const uint64_t* in_a = values_.data() + a * size_t{points_.num_names};
  const uint64_t* in_b = values_.data() + b * size_t{points_.num_names};
  for (uint32_t j = 0; j < points_.num_names; ++j) sum += (in_a[j] & in_b[j]) != 0 ? 0.0F : steps_[j];
  return sum;
}

// No point of a node is nearer to a query than this.
float NearIndex::BoundOfQuery(uint32_t node, const Packet& packet, uint32_t query) const {
  float sum = 0;
  const float* extent = extents_.data() + node * size_t{2} * points_.num_numbers;
  for (uint32_t j = 0; j < points_.num_numbers; ++j) {
    const float x = packet.queries.numbers[size_t{j} * kWidth + query];
    sum += std::min(1.0F, std::max(0.0F, std::max(extent[2 * j] - x, x - extent[2 * j + 1])));
  }
  const uint64_t* values = values_.data() + node * size_t{points_.num_names};
  for (uint32_t j = 0; j < points_.num_names; ++j) {
    sum += (values[j] >> (packet.queries.names[size_t{j} * kWidth + query] & 63) & 1) != 0 ? 0.0F : steps_[j];
  }
  return sum;
}

void NearIndex::VisitLeaf(uint32_t leaf, Packet& packet) const {
  ++packet.leaves;
  float distances[kWidth * kWidth];
  uint32_t wanted[kWidth];
  const Leaf points{leaf_numbers_.data() + size_t{leaf} * kWidth * points_.num_numbers,
                    leaf_names_.data() + size_t{leaf} * kWidth * points_.num_names};
  packet.loops.measure(packet.queries, points, packet.shape, packet.farthest, distances, wanted);
  const Node& node = nodes_[leaf_nodes_[leaf]];
  const uint32_t there = (1U << node.size()) - 1;
  for (uint32_t q = 0; q < packet.size; ++q) {
    uint32_t left = wanted[q] & there;
    if (leaf == packet.leaf) left &= ~(1U << q);
    if (left == 0) continue;
    uint64_t* list = packet.keys.data() + size_t{q} * packet.count;
    for (; left != 0; left &= left - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(left));
      Insert(PacketKeyOf(distances[q * kWidth + i], members_[node.begin + i]), list, packet.count);
    }
    packet.farthest[q] = DistanceOf(list[packet.count - 1]);
  }
  packet.widest = *std::max_element(packet.farthest, packet.farthest + kWidth);
}

void NearIndex::VisitBlock(uint32_t block, Packet& packet) const {
  const size_t numbers = points_.num_numbers, names = points_.num_names;
  float bounds[kWidth];
  packet.loops.bound(extents_.data() + packet.node * 2 * numbers, values_.data() + packet.node * names,
                     block_extents_.data() + block * 2 * kWidth * numbers,
                     block_values_.data() + block * 2 * kWidth * names, packet.shape, bounds);
  for (uint32_t leaf = first_leaf_[block]; leaf < first_leaf_[block + 1]; ++leaf) {
    if (bounds[leaf - first_leaf_[block]] >= packet.widest || leaf == packet.leaf) continue;
    const size_t node = leaf_nodes_[leaf];
    if (packet.loops.reaches(packet.queries, extents_.data() + node * 2 * numbers, values_.data() + node * names,
                             packet.shape, packet.farthest)) {
      VisitLeaf(leaf, packet);
    }
  }
}

void NearIndex::NearestOfLeaf(uint32_t leaf, uint32_t count, std::vector<uint32_t>& lists) const {
  static const Loops kLoops = FastestLoops();
  const Node& own = nodes_[leaf_nodes_[leaf]];
  Packet packet{.leaf = leaf,
                .node = leaf_nodes_[leaf],
                .count = count,
                .size = own.size(),
                .queries = {leaf_numbers_.data() + size_t{leaf} * kWidth * points_.num_numbers,
                            leaf_names_.data() + size_t{leaf} * kWidth * points_.num_names},
                .shape = {points_.num_numbers, points_.num_names, steps_.data()},
                .loops = kLoops,
                .keys = std::vector<uint64_t>(size_t{count} * own.size(), PacketKeyOf(kFar, UINT32_MAX)),
                .farthest = {}};
  std::fill_n(packet.farthest, kWidth, -1.0F);
  std::fill_n(packet.farthest, packet.size, kFar);
  VisitLeaf(leaf, packet);
  std::vector<std::pair<float, uint32_t>> queue{{0.0F, 0U}};
  while (!queue.empty() && queue.front().first < packet.widest && packet.leaves < kPacketLeavesPerPoint * count) {
    uint32_t index = queue.front().second;
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    queue.pop_back();
    while (nodes_[index].block == UINT32_MAX) {
      uint32_t near = nodes_[index].left, far = nodes_[index].right;
      float near_bound = BoundOfBoxes(packet.node, near), far_bound = BoundOfBoxes(packet.node, far);
      const bool far_holds_own = nodes_[far].begin <= own.begin && own.end <= nodes_[far].end;
      if (far_bound < near_bound || far_holds_own) std::swap(near, far), std::swap(near_bound, far_bound);
      if (far_bound < packet.widest) {
        queue.emplace_back(far_bound, far);
        std::push_heap(queue.begin(), queue.end(), std::greater<>());
      }
      index = near;
    }
    VisitBlock(nodes_[index].block, packet);
  }
  lists.clear();
  for (uint32_t q = 0; q < packet.size; ++q) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t id = IdOf(packet.keys[size_t{q} * count + i]);
      lists.push_back(id == UINT32_MAX ? members_[own.begin + q] : id);
    }
    const bool unsure = std::any_of(queue.begin(), queue.end(), [&](const auto& item) {
      return item.first < packet.farthest[q] && BoundOfQuery(item.second, packet, q) < packet.farthest[q];
    });
    if (unsure) cut_short_.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace tada
