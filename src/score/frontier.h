#pragma once

// The Pareto frontier: points that no other point dominates. One point dominates another if it is at least as good in every
// measure and better in one; larger is better. Equal points do not dominate each other.

#include <array>
#include <span>
#include <vector>

namespace tada {

using ParetoPoint = std::array<double, 3>;

/// For each point, whether it is on the frontier. Costs points times frontier.
std::vector<bool> FindFrontier(std::span<const ParetoPoint> points);

}  // namespace tada
