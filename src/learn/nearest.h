#pragma once

// Which of many points are nearest: by looking at all of them, sixteen at a time. At the sizes of a table of people (some
// thousand centroids, some ten features) this beats trees over the centroids several times.

#include <cstdint>
#include <vector>

#include "base/workers.h"
#include "learn/points.h"

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
NearestLists FindNearest(const Points& queries, const Lanes& targets, size_t wanted, const Workers& workers);

/// The squared distance of one query to every target; `distances` gets targets.num_blocks() * Lanes::kWidth entries.
void FindDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances);

/// Lowers each distance to that to `query`, if that is less: what the seeding of k-means does once for every seed.
void LowerDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances);

}  // namespace tada
