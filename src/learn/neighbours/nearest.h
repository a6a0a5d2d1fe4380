#pragma once

// Which of many points are nearest: by looking at all of them, sixteen at a time, or where there are thousands of targets and few
// features, at those of the branches of a tree that are near enough (lane_tree.h). Both find the same.

#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "learn/neighbours/lane_tree.h"
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

/// The `wanted` nearest targets of every query (all of them if there are fewer).
/// `before`, if given and of the same size, is what was found when the targets stood a little elsewhere: the targets in it tell
/// how near is near enough, which saves time. `order`, if not empty, has all queries, and near ones mostly near each other, as a
/// LaneTree of them has; without it many queries are sorted so first. Neither changes the result.
NearestLists FindNearest(const Points& queries, const Lanes& targets, size_t wanted, const Workers& workers,
                         const NearestLists* before = nullptr, std::span<const uint32_t> order = {});

/// The same by a tree that is already there, whatever its size.
NearestLists FindNearest(const Points& queries, const LaneTree& targets, size_t wanted, const Workers& workers,
                         const NearestLists* before = nullptr, std::span<const uint32_t> order = {});

/// The squared distances of a query to the points of a block of lanes, and a bit for each that is not above `bound`.
uint32_t BlockDistances(const float* query, const Lanes& targets, size_t block, float bound, float* distances);

/// The squared distance of one query to every target; `distances` gets targets.num_blocks() * Lanes::kWidth entries.
void FindDistances(std::span<const float> query, const Lanes& targets, std::vector<float>& distances);

}  // namespace tada
