#include "learn/clusters/seeding.h"

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "base/status.h"
#include "learn/neighbours/nearest.h"

namespace tada {
namespace {

// Chances in two levels, so that a draw reads one sum per shelf and the points of one shelf.
constexpr size_t kShelf = 16 * Lanes::kWidth;

// Four sums side by side: one after the other they would wait for each other's additions.
double ShelfSum(const std::vector<float>& chances, size_t begin, size_t end) {
  double sums[4] = {};
  for (; begin + 4 <= end; begin += 4) {
    for (size_t i = 0; i < 4; ++i) sums[i] += chances[begin + i];
  }
  for (; begin < end; ++begin) sums[0] += chances[begin];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The point at which the running sum of chances passes `target`; the last one with a chance if rounding leaves none.
size_t PointAt(const std::vector<float>& chances, const std::vector<double>& shelves, size_t count, double target) {
  size_t shelf = 0;
  while (shelf + 1 < shelves.size() && target >= shelves[shelf]) target -= shelves[shelf++];
  size_t found = count;
  for (size_t i = shelf * kShelf; i < count && (i < (shelf + 1) * kShelf || found == count); ++i) {
    if (chances[i] <= 0) continue;
    found = i;
    if (target < chances[i]) return i;
    target -= chances[i];
  }
  for (size_t i = count; found == count && i-- > 0;) {
    if (chances[i] > 0) found = i;
  }
  return found;
}

}  // namespace

std::vector<uint32_t> SeedPoints(const Points& points, size_t wanted, uint64_t seed, const Workers& workers) {
  TADA_ASSERT(wanted <= points.count);
  Random random(seed);
  const Lanes lanes(points);
  std::vector<float> chances(lanes.num_blocks() * Lanes::kWidth, std::numeric_limits<float>::max());
  std::vector<double> shelves((points.count + kShelf - 1) / kShelf);
  std::vector<uint8_t> taken(points.count, 0);
  std::vector<uint32_t> seeds;
  seeds.reserve(wanted);
  while (seeds.size() < wanted) {
    if (seeds.size() % 64 == 0) workers.Poll();
    double total = 0;
    if (!seeds.empty()) {
      LowerDistances(points.point(seeds.back()), lanes, chances);
      for (size_t s = 0; s < shelves.size(); ++s) {
        shelves[s] = ShelfSum(chances, s * kShelf, std::min(points.count, (s + 1) * kShelf));
        total += shelves[s];
      }
    }
    size_t next = points.count;
    if (total > 0) next = PointAt(chances, shelves, points.count, random.Unit() * total);
    if (next == points.count || taken[next] != 0) {  // the first one, or every point left coincides with a seed
      next = random.Below(points.count);
      while (taken[next] != 0) next = (next + 1) % points.count;
    }
    taken[next] = 1;
    seeds.push_back(static_cast<uint32_t>(next));
  }
  return seeds;
}

}  // namespace tada
