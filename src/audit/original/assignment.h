#pragma once

// Looks for the original row behind each released one: which cells cover which values, then who gets whom.
//   point     original rows with the same values; supply: how many.
//   box       released rows with the same cells; demand: how many. Every one needs a row of a point it covers.
//   edge      a point and a box that covers it.
// Boxes and points are halved together, column by column, until few are left to be compared pair by pair; points that
// lie in hardly any box (a Mondrian release) then cost little more than sorting. A maximum flow along the edges
// (Hopcroft and Karp 1973, with capacities) tells whether every demand can be met.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "audit/original/cover.h"
#include "base/workers.h"

namespace tada {

struct Edge {
  uint32_t point, box;
};

/// Counts steps down to zero. Not shared between threads, so that a search ends at the same step every time.
class StepLimit {
 public:
  explicit StepLimit(uint64_t steps) : left_(steps) {}
  /// False once the limit is used up.
  bool Take(uint64_t steps) {
    left_ = steps > left_ ? 0 : left_ - steps;
    return left_ > 0;
  }

 private:
  uint64_t left_;
};

/// Points and boxes by their positions and cells, one per column, row after row.
struct CandidateRows {
  std::vector<const CellCover*> columns;
  std::vector<uint32_t> positions;  ///< point i, column j: positions[i * columns.size() + j]
  std::vector<Code> cells;          ///< box i, column j
};

/// All edges between these points and boxes, or nothing if the limit is reached.
std::optional<std::vector<Edge>> FindEdges(const CandidateRows& candidates, std::vector<uint32_t> points,
                                           std::vector<uint32_t> boxes, StepLimit& limit, const Workers& workers);

/// Meets as much demand as can be; returns what is left of each box's, or nothing if the limit is reached.
/// Edges name points and boxes by their places in `supply` and `demand`.
std::optional<std::vector<uint32_t>> MeetDemand(std::vector<uint32_t> supply, std::vector<uint32_t> demand,
                                                std::span<const Edge> edges, StepLimit& limit, const Workers& workers);

/// The same for boxes that are ranges on one line, given by begin and end: sweeps the points in order and gives each to
/// the box that ends first, which is optimal (Glover 1967). Supply is by position.
struct RangeDemand {
  uint32_t begin, end, demand;
};
std::vector<uint32_t> MeetRangeDemand(std::span<const uint32_t> supply, std::span<const RangeDemand> boxes);

}  // namespace tada
