#include "score/frontier.h"

#include <algorithm>
#include <numeric>

namespace tada {

std::vector<bool> FindFrontier(std::span<const ParetoPoint> points) {
  std::vector<size_t> order(points.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return points[a] > points[b]; });
  std::vector<bool> on_frontier(points.size(), false);
  std::vector<size_t> frontier;  // in descending order nothing later can dominate what is here
  for (const size_t i : order) {
    const bool dominated = std::any_of(frontier.begin(), frontier.end(), [&](size_t f) {
      return points[f] != points[i] && points[f][0] >= points[i][0] && points[f][1] >= points[i][1] &&
             points[f][2] >= points[i][2];
    });
    if (dominated) continue;
    on_frontier[i] = true;
    frontier.push_back(i);
  }
  return on_frontier;
}

}  // namespace tada
