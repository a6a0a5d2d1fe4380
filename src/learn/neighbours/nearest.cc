#include "learn/neighbours/nearest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace tada {
namespace {

constexpr size_t kTile = 4;             // queries that share one reading of the targets
constexpr size_t kQueriesAtOnce = 256;  // a task of the workers,
constexpr size_t kLongAtOnce = 4;       // and with long lists
constexpr size_t kLongestSorted = 24;   // longer lists are selected from all distances instead of being kept sorted
constexpr size_t kTreeTargets = 1024;   // as many make a tree faster than a look at all,
constexpr size_t kTreeFeatures = 12;    // in so few dimensions
constexpr size_t kPacketQueries =
    4096;  // as many are worth being sorted by where they are, to search the tree in packets

bool HasAvx2() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
#else
  return false;
#endif
}

constexpr size_t kKnownLanes = 8;

// The nearest targets of one query so far, nearest first; of equally near ones the lower id.
struct Best {
  float* distances;
  uint32_t* ids;
  size_t wanted;
  uint8_t* known;  // a bit for each target that was looked at before the others

  // Who is farther than this is out.
  float bound() const { return distances[wanted - 1]; }

  void Clear() const {
    std::fill_n(distances, wanted, std::numeric_limits<float>::infinity());
    std::fill_n(ids, wanted, UINT32_MAX);
  }

  void Insert(float distance, uint32_t id) const {
    size_t at = wanted;
    for (; at > 0 && (distance < distances[at - 1] || (distance == distances[at - 1] && id < ids[at - 1])); --at) {
      if (at == wanted) continue;  // the last one falls out
      distances[at] = distances[at - 1];
      ids[at] = ids[at - 1];
    }
    if (at == wanted) return;
    distances[at] = distance;
    ids[at] = id;
  }
};

// The same loops for any processor and for those with AVX2, which do eight lanes at once instead of four. Both give the same
// bits (points.h).
namespace any_processor {
#define TADA_TARGET
#define TADA_BYTES 16
#define TADA_MOVEMASK __builtin_ia32_movmskps
#include "learn/neighbours/nearest_kernel.inc"
#undef TADA_TARGET
#undef TADA_BYTES
#undef TADA_MOVEMASK
}  // namespace any_processor

#if defined(__x86_64__)
namespace with_avx2 {
#define TADA_TARGET __attribute__((target("avx2")))
#define TADA_BYTES 32
#define TADA_MOVEMASK __builtin_ia32_movmskps256
#include "learn/neighbours/nearest_kernel.inc"
#undef TADA_TARGET
#undef TADA_BYTES
#undef TADA_MOVEMASK
}  // namespace with_avx2
#else
namespace with_avx2 = any_processor;
#endif

// The squared distances to four targets. Their sums grow side by side; one after the other they would wait for each other's
// additions.
void FourDistances(const float* query, const Lanes& targets, const uint32_t* ids, float* distances) {
  const float* lanes[4];
  for (size_t i = 0; i < 4; ++i) lanes[i] = targets.block(ids[i] / Lanes::kWidth) + ids[i] % Lanes::kWidth;
  float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  for (size_t f = 0; f < targets.features(); ++f) {
    const float x = query[f], d0 = lanes[0][f * Lanes::kWidth] - x, d1 = lanes[1][f * Lanes::kWidth] - x;
    const float d2 = lanes[2][f * Lanes::kWidth] - x, d3 = lanes[3][f * Lanes::kWidth] - x;
    sum0 += d0 * d0;
    sum1 += d1 * d1;
    sum2 += d2 * d2;
    sum3 += d3 * d3;
  }
  distances[0] = sum0, distances[1] = sum1, distances[2] = sum2, distances[3] = sum3;
}

// Starts with the targets that were nearest before, in that order, which is nearly theirs now.
void StartWith(const float* query, const Lanes& targets, std::span<const uint32_t> before, const Best& best) {
  for (size_t first = 0; first < before.size(); first += 4) {
    uint32_t ids[4];
    float distances[4];
    for (size_t i = 0; i < 4; ++i) ids[i] = before[std::min(first + i, before.size() - 1)];
    FourDistances(query, targets, ids, distances);
    for (size_t i = 0; i < 4 && first + i < before.size(); ++i) {
      best.Insert(distances[i], ids[i]);
      best.known[ids[i] / kKnownLanes] |= static_cast<uint8_t>(1U << (ids[i] % kKnownLanes));
    }
  }
}

// The largest distance to some of the points of a tree.
float FarthestOf(const float* place, const LaneTree& targets, std::span<const uint32_t> ids) {
  float farthest = 0;
  for (const uint32_t id : ids) farthest = std::max(farthest, targets.Distance(place, id));
  return farthest;
}

NearestLists EmptyLists(const Points& queries, size_t num_targets, size_t wanted) {
  NearestLists lists;
  lists.per_query = std::min(wanted, num_targets);
  lists.ids.resize(queries.count * lists.per_query);
  lists.distances.resize(queries.count * lists.per_query);
  return lists;
}

const NearestLists* OfSameSize(const NearestLists* before, const NearestLists& lists) {
  const bool same = before != nullptr && before->per_query == lists.per_query && before->ids.size() == lists.ids.size();
  return same ? before : nullptr;
}

// Squared distances aren't negative, so their bits are ordered as they are; the id below decides ties.
uint64_t KeyOf(float distance, uint32_t id) { return uint64_t{std::bit_cast<uint32_t>(distance)} << 32 | id; }

// The nearest targets so far where they are many: a heap, the farthest on top.
class LongBest {
 public:
  explicit LongBest(size_t wanted) : wanted_(wanted) { keys_.reserve(wanted); }

  float bound() const {
    return keys_.size() < wanted_ ? std::numeric_limits<float>::infinity()
                                  : std::bit_cast<float>(static_cast<uint32_t>(keys_.front() >> 32));
  }
  void Insert(float distance, uint32_t id) {
    const uint64_t key = KeyOf(distance, id);
    if (keys_.size() == wanted_) {
      if (key >= keys_.front()) return;
      std::ranges::pop_heap(keys_);
      keys_.back() = key;
    } else {
      keys_.push_back(key);
    }
    std::ranges::push_heap(keys_);
  }
  // Nearest first.
  void Take(size_t query, NearestLists& lists) {
    std::ranges::sort_heap(keys_);
    WriteKeys(keys_, query, lists);
    keys_.clear();
  }

  static void WriteKeys(std::span<const uint64_t> keys, size_t query, NearestLists& lists) {
    for (size_t i = 0; i < keys.size(); ++i) {
      lists.ids[query * lists.per_query + i] = static_cast<uint32_t>(keys[i]);
      lists.distances[query * lists.per_query + i] = std::bit_cast<float>(static_cast<uint32_t>(keys[i] >> 32));
    }
  }

 private:
  size_t wanted_;
  std::vector<uint64_t> keys_;
};

// Offers `best` what a tree holds near a place, no farther than `enough`.
template <class AnyBest>
void SearchNear(const float* place, const LaneTree& targets, float enough, AnyBest& best) {
  float distances[Lanes::kWidth];
  targets.ForNear(
      place, [&] { return std::min(enough, best.bound()); },
      [&](uint32_t leaf) {
        const uint32_t block = targets.block(leaf);
        const auto ids = targets.points_of(leaf);
        uint32_t bits = BlockDistances(place, targets.lanes(), block, std::min(enough, best.bound()), distances);
        for (; bits != 0; bits &= bits - 1) {
          const auto lane = static_cast<size_t>(std::countr_zero(bits));
          if (lane < ids.size()) best.Insert(distances[lane], ids[lane]);
        }
      });
}

// The queries [begin, end), by a tree.
void SearchTree(const Points& queries, const LaneTree& targets, size_t begin, size_t end, const NearestLists* before,
                NearestLists& lists) {
  const size_t wanted = lists.per_query;
  LongBest many(wanted > kLongestSorted ? wanted : 0);
  for (size_t query = begin; query < end; ++query) {
    const float* place = queries.values.data() + query * queries.features;
    // What was nearest before tells how near is near enough.
    float enough = std::numeric_limits<float>::infinity();
    if (before != nullptr) enough = FarthestOf(place, targets, before->ids_of(query));
    if (wanted > kLongestSorted) {
      SearchNear(place, targets, enough, many);
      many.Take(query, lists);
      continue;
    }
    const Best best{lists.distances.data() + query * wanted, lists.ids.data() + query * wanted, wanted, nullptr};
    best.Clear();
    SearchNear(place, targets, enough, best);
  }
}

// Queries that lie near each other go down the tree together, a lane each: they mostly need the same nodes, and one instruction
// bounds several of them.
class Packet {
 public:
  Packet(const Points& queries, std::span<const uint32_t> ids, const LaneTree& targets, const NearestLists* before,
         NearestLists& lists)
      : queries_(queries), ids_(ids), targets_(targets), lists_(lists), places_(targets.features() * Lanes::kWidth) {
    std::fill_n(limits_, Lanes::kWidth, -1.0F);  // nothing is near enough for a lane without a query
    for (size_t lane = 0; lane < ids.size(); ++lane) {
      const float* const place = PlaceOf(lane);
      for (size_t f = 0; f < targets.features(); ++f) places_[f * Lanes::kWidth + lane] = place[f];
      BestOf(lane).Clear();
      enough_[lane] = limits_[lane] = before == nullptr ? std::numeric_limits<float>::infinity()
                                                        : FarthestOf(place, targets, before->ids_of(ids[lane]));
    }
  }

  void Search() {
    Waiting waiting[LaneTree::kMaxDepth];
    size_t count = 0;
    waiting[count++] = Look(LaneTree::kRoot);
    while (count > 0) {
      Waiting at = waiting[--count];
      at.lanes = PacketWithin(at.bounds, limits_);
      while (at.lanes != 0) {
        if (targets_.is_leaf(at.node)) {
          Visit(at);
          break;
        }
        Waiting near = Look(targets_.left(at.node)), far = Look(targets_.right(at.node));
        const auto first = static_cast<size_t>(std::countr_zero(at.lanes));
        if (far.bounds[first] < near.bounds[first]) std::swap(near, far);
        if (far.lanes != 0) waiting[count++] = far;
        at = near;
      }
    }
  }

 private:
  struct Waiting {
    uint32_t node = 0, lanes = 0;  // lanes: a bit for each query that the node may be near enough for
    float bounds[Lanes::kWidth];
  };

  static uint32_t PacketWithin(const float* bounds, const float* limits) {
    return (HasAvx2() ? with_avx2::PacketWithin : any_processor::PacketWithin)(bounds, limits);
  }
  const float* PlaceOf(size_t lane) const { return queries_.values.data() + ids_[lane] * queries_.features; }
  Best BestOf(size_t lane) const {
    const size_t begin = ids_[lane] * lists_.per_query;
    return {lists_.distances.data() + begin, lists_.ids.data() + begin, lists_.per_query, nullptr};
  }

  Waiting Look(uint32_t node) const {
    Waiting found;
    found.node = node;
    found.lanes = (HasAvx2() ? with_avx2::PacketBounds : any_processor::PacketBounds)(
        targets_.box(node), targets_.features(), places_.data(), limits_, found.bounds);
    return found;
  }

  void Visit(const Waiting& leaf) {
    const uint32_t block = targets_.block(leaf.node);
    const auto points = targets_.points_of(leaf.node);
    float distances[Lanes::kWidth];
    for (uint32_t lanes = leaf.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(lanes));
      const Best best = BestOf(lane);
      uint32_t bits = BlockDistances(PlaceOf(lane), targets_.lanes(), block, limits_[lane], distances);
      for (; bits != 0; bits &= bits - 1) {
        const auto at = static_cast<size_t>(std::countr_zero(bits));
        if (at < points.size()) best.Insert(distances[at], points[at]);
      }
      limits_[lane] = std::min(enough_[lane], best.bound());
    }
  }

  const Points& queries_;
  std::span<const uint32_t> ids_;  // of the queries
  const LaneTree& targets_;
  NearestLists& lists_;
  std::vector<float> places_;  // of the queries, in lanes
  float enough_[Lanes::kWidth], limits_[Lanes::kWidth];
};

// The queries [begin, end), four at a time; a tile that is not full repeats its last query.
void SearchSorted(const Points& queries, const Lanes& targets, size_t begin, size_t end, const NearestLists* before,
                  NearestLists& lists) {
  const size_t wanted = lists.per_query, marks = targets.count() / kKnownLanes + 1;
  std::vector<float> spare_distances(kTile * wanted);
  std::vector<uint32_t> spare_ids(kTile * wanted);
  std::vector<uint8_t> known(kTile * marks, 0);
  for (size_t first = begin; first < end; first += kTile) {
    const float* tile[kTile];
    Best best[kTile];
    for (size_t t = 0; t < kTile; ++t) {
      const size_t query = std::min(first + t, end - 1);
      const bool spare = first + t >= end;
      tile[t] = queries.values.data() + query * queries.features;
      best[t] = {spare ? spare_distances.data() + t * wanted : lists.distances.data() + query * wanted,
                 spare ? spare_ids.data() + t * wanted : lists.ids.data() + query * wanted, wanted,
                 known.data() + t * marks};
      best[t].Clear();
      if (before != nullptr) StartWith(tile[t], targets, before->ids_of(query), best[t]);
    }
    (HasAvx2() ? with_avx2::SearchTile : any_processor::SearchTile)(tile, targets, best);
    for (size_t t = 0; t < kTile && before != nullptr; ++t) {
      for (const uint32_t id : before->ids_of(std::min(first + t, end - 1))) best[t].known[id / kKnownLanes] = 0;
    }
  }
}

void SearchSelecting(const Points& queries, const Lanes& targets, size_t query, NearestLists& lists) {
  const size_t wanted = lists.per_query;
  std::vector<float> distances;
  FindDistances(queries.point(query), targets, distances);
  std::vector<uint64_t> keys(targets.count());
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = KeyOf(distances[i], static_cast<uint32_t>(i));
  const auto end = keys.begin() + static_cast<ptrdiff_t>(wanted);
  if (wanted < keys.size()) std::nth_element(keys.begin(), end, keys.end());
  std::sort(keys.begin(), end);
  LongBest::WriteKeys(std::span(keys).first(wanted), query, lists);
}

}  // namespace

NearestLists FindNearest(const Points& queries, const Lanes& targets, size_t wanted, const Workers& workers,
                         const NearestLists* before, std::span<const uint32_t> order) {
  if (targets.count() >= kTreeTargets && targets.features() <= kTreeFeatures)
    return FindNearest(queries, LaneTree(targets.AsPoints()), wanted, workers, before, order);
  NearestLists lists = EmptyLists(queries, targets.count(), wanted);
  if (lists.per_query == 0) return lists;
  if (lists.per_query > kLongestSorted) {
    workers.For(queries.count, [&](size_t query) { SearchSelecting(queries, targets, query, lists); });
  } else {
    workers.ForBlocks(queries.count, kQueriesAtOnce, [&](size_t begin, size_t end) {
      SearchSorted(queries, targets, begin, end, OfSameSize(before, lists), lists);
    });
  }
  return lists;
}

NearestLists FindNearest(const Points& queries, const LaneTree& targets, size_t wanted, const Workers& workers,
                         const NearestLists* before, std::span<const uint32_t> order) {
  NearestLists lists = EmptyLists(queries, targets.count(), wanted);
  if (lists.per_query == 0) return lists;
  const bool is_long = lists.per_query > kLongestSorted;
  if ((order.empty() && queries.count < kPacketQueries) || is_long) {
    workers.ForBlocks(queries.count, is_long ? kLongAtOnce : kQueriesAtOnce, [&](size_t begin, size_t end) {
      SearchTree(queries, targets, begin, end, OfSameSize(before, lists), lists);
    });
    return lists;
  }
  std::vector<uint32_t> own_order;
  if (order.empty()) {
    const LaneTree sorted(queries);
    own_order.assign(sorted.order().begin(), sorted.order().end());
    order = own_order;
  }
  workers.ForBlocks(queries.count, kQueriesAtOnce, [&](size_t begin, size_t end) {
    for (; begin < end; begin += Lanes::kWidth) {
      const auto ids = order.subspan(begin, std::min(Lanes::kWidth, end - begin));
      Packet(queries, ids, targets, OfSameSize(before, lists), lists).Search();
    }
  });
  return lists;
}

void FindDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances) {
  distances.resize(targets.num_blocks() * Lanes::kWidth);
  (HasAvx2() ? with_avx2::Scan : any_processor::Scan)(query.data(), targets, distances.data());
}

uint32_t BlockDistances(const float* query, const Lanes& targets, size_t block, float bound, float* distances) {
  return (HasAvx2() ? with_avx2::ScanBlock : any_processor::ScanBlock)(query, targets, block, bound, distances);
}

}  // namespace tada
