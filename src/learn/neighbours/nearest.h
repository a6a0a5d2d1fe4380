#pragma once

// Which of many points are nearest: by looking at all of them, sixteen at a time. At the sizes of a table of people (some
// thousand centroids, some ten features) this beats trees over the centroids several times.

#include <cstdint>
#include <vector>

#include "base/workers.h"
#include "learn/neighbours/points.h"

namespace tada {

/// For each query the nearest targets, nearest first; equally near ones by their number.
struct NearestLists {
  size_t per_query = 0;
  std::vector<uint32_t> ids;
  std::vector<float> distances;  ///< squared

  std::span<const uint32_t> ids_of(size_t query) const { return std::span(ids).subspan(query * per_query, per_query); }
  std::span<const float> distances_of(size_t query) const {
    return std::span(distances).subspan(query * per_query, per_query);
  }
};

/// The `wanted` nearest targets of every query (all of them if there are fewer). Costs queries * targets * features.
/// `before`, if given and of the same size, is what was found when the targets stood a little elsewhere: the targets in it tell
/// how near is near enough, which saves time. It doesn't change the result.
NearestLists FindNearest(const Points& queries, const Lanes& targets, size_t wanted, const Workers& workers,
                         const NearestLists* before = nullptr);

/// The squared distance of one query to every target; `distances` gets targets.num_blocks() * Lanes::kWidth entries.
void FindDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances);

/// Lowers each distance to that to `query`, if that is less: what the seeding of k-means does once for every seed.
void LowerDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances);

}  // namespace tada
