#include "learn/nearest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace tada {
namespace {

constexpr size_t kTile = 4;             // queries that share one reading of the targets
constexpr size_t kQueriesAtOnce = 256;  // a task of the workers
constexpr size_t kLongestSorted = 256;  // longer lists are selected from all distances instead of being kept sorted

bool HasAvx2() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
#else
  return false;
#endif
}

// The nearest targets of one query so far, nearest first.
struct Best {
  float* distances;
  uint32_t* ids;
  size_t wanted;

  // Who is not nearer than this is out.
  float bound() const { return distances[wanted - 1]; }

  void Insert(float distance, uint32_t id) const {
    size_t at = wanted - 1;
    for (; at > 0 && distance < distances[at - 1]; --at) {
      distances[at] = distances[at - 1];
      ids[at] = ids[at - 1];
    }
    distances[at] = distance;
    ids[at] = id;
  }
};

// The same loops for any processor and for those with AVX2, which do eight lanes at once instead of four. Both give the same
// bits (points.h).
namespace any_processor {
#define TADA_TARGET
#define TADA_BYTES 16
#include "learn/nearest_kernel.inc"
#undef TADA_TARGET
#undef TADA_BYTES
}  // namespace any_processor

#if defined(__x86_64__)
namespace with_avx2 {
#define TADA_TARGET __attribute__((target("avx2")))
#define TADA_BYTES 32
#include "learn/nearest_kernel.inc"
#undef TADA_TARGET
#undef TADA_BYTES
}  // namespace with_avx2
#else
namespace with_avx2 = any_processor;
#endif

// A distance that every one of the nearest targets is below: just above the farthest of those that were nearest before. Their
// sums grow side by side; one after the other they would wait for each other's additions.
float FirstBound(const float* query, const Lanes& targets, std::span<const uint32_t> before, std::vector<float>& sums) {
  sums.assign(before.size(), 0.0F);
  for (size_t f = 0; f < targets.features(); ++f) {
    for (size_t i = 0; i < before.size(); ++i) {
      const float* lane = targets.block(before[i] / Lanes::kWidth) + before[i] % Lanes::kWidth;
      const float difference = lane[f * Lanes::kWidth] - query[f];
      sums[i] += difference * difference;
    }
  }
  return std::nextafter(*std::max_element(sums.begin(), sums.end()), std::numeric_limits<float>::infinity());
}

// The queries [begin, end), four at a time; a tile that is not full repeats its last query.
void SearchSorted(const Points& queries, const Lanes& targets, size_t begin, size_t end, const NearestLists* before,
                  NearestLists& lists) {
  const size_t wanted = lists.per_query;
  std::vector<float> spare_distances(kTile * wanted), sums;
  std::vector<uint32_t> spare_ids(kTile * wanted);
  for (size_t first = begin; first < end; first += kTile) {
    const float* tile[kTile];
    Best best[kTile];
    for (size_t t = 0; t < kTile; ++t) {
      const size_t query = std::min(first + t, end - 1);
      const bool spare = first + t >= end;
      tile[t] = queries.values.data() + query * queries.features;
      best[t] = {spare ? spare_distances.data() + t * wanted : lists.distances.data() + query * wanted,
                 spare ? spare_ids.data() + t * wanted : lists.ids.data() + query * wanted, wanted};
      std::fill_n(best[t].distances, wanted,
                  before == nullptr ? std::numeric_limits<float>::infinity()
                                    : FirstBound(tile[t], targets, before->ids_of(query), sums));
    }
    (HasAvx2() ? with_avx2::SearchTile : any_processor::SearchTile)(tile, targets, best);
  }
}

void SearchSelecting(const Points& queries, const Lanes& targets, size_t query, NearestLists& lists) {
  const size_t wanted = lists.per_query;
  std::vector<float> distances;
  FindDistances(queries.point(query), targets, distances);
  std::vector<uint32_t> ids(targets.count());
  std::iota(ids.begin(), ids.end(), 0U);
  std::partial_sort(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(wanted), ids.end(), [&](uint32_t a, uint32_t b) {
    return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
  });
  for (size_t i = 0; i < wanted; ++i) {
    lists.ids[query * wanted + i] = ids[i];
    lists.distances[query * wanted + i] = distances[ids[i]];
  }
}

}  // namespace

NearestLists FindNearest(const Points& queries, const Lanes& targets, size_t wanted, const Workers& workers,
                         const NearestLists* before) {
  NearestLists lists;
  lists.per_query = std::min(wanted, targets.count());
  lists.ids.resize(queries.count * lists.per_query);
  lists.distances.resize(queries.count * lists.per_query);
  if (lists.per_query == 0) return lists;
  if (before != nullptr && (before->per_query != lists.per_query || before->ids.size() != lists.ids.size()))
    before = nullptr;
  if (lists.per_query > kLongestSorted) {
    workers.For(queries.count, [&](size_t query) { SearchSelecting(queries, targets, query, lists); });
  } else {
    workers.ForBlocks(queries.count, kQueriesAtOnce,
                      [&](size_t begin, size_t end) { SearchSorted(queries, targets, begin, end, before, lists); });
  }
  return lists;
}

void FindDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances) {
  distances.resize(targets.num_blocks() * Lanes::kWidth);
  (HasAvx2() ? with_avx2::Scan<false> : any_processor::Scan<false>)(query.data(), targets, distances.data());
}

void LowerDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances) {
  (HasAvx2() ? with_avx2::Scan<true> : any_processor::Scan<true>)(query.data(), targets, distances.data());
}

}  // namespace tada
