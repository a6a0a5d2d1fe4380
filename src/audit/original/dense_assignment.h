#pragma once

// The assignment of audit/original/assignment.h without a list of edges, for tables of one shape: where nearly every box covers nearly every point there are too
// many edges to list. Which points a cell covers is kept as bits; those of a box are the bits that all its cells have.

#include "audit/original/assignment.h"

namespace tada {

/// Meets as much demand as can be; returns what is left of each box's, or nothing if the limit is reached or the bits would need too much memory.
/// `supply` and `demand` are beside `points` and `boxes`, which name candidates.
std::optional<std::vector<uint32_t>> MeetDenseDemand(const CandidateRows& candidates, std::span<const uint32_t> points,
                                                     std::span<const uint32_t> boxes, std::vector<uint32_t> supply,
                                                     std::vector<uint32_t> demand, StepLimit& limit,
                                                     const Workers& workers);

}  // namespace tada
