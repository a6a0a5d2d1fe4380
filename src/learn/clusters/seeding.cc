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

// The squared distance of every point to the nearest seed so far, and sums of it by shelf.
class Chances {
 public:
  explicit Chances(const LaneTree& tree)
      : tree_(tree),
        by_point_(tree.count(), std::numeric_limits<float>::max()),
        by_place_(tree.lanes().num_blocks() * Lanes::kWidth, -1.0F),  // no point: nothing is less
        largest_(tree.num_nodes(), std::numeric_limits<float>::max()),
        shelves_((tree.count() + kShelf - 1) / kShelf, 0.0),
        changed_(shelves_.size(), 0) {
    std::fill_n(by_place_.begin(), tree.count(), std::numeric_limits<float>::max());
  }

  void Lower(const float* seed) {
    Visit(LaneTree::kRoot, seed);
    for (size_t s = 0; s < shelves_.size(); ++s) {
      if (changed_[s] == 0) continue;
      shelves_[s] = ShelfSum(by_point_, s * kShelf, std::min(by_point_.size(), (s + 1) * kShelf));
      changed_[s] = 0;
    }
  }
  double Total() const {
    double total = 0;
    for (const double shelf : shelves_) total += shelf;
    return total;
  }
  size_t At(double target) const { return PointAt(by_point_, shelves_, by_point_.size(), target); }

 private:
  // Lowers what is nearer to the seed than to those before, and learns the largest chance of each node anew.
  void Visit(uint32_t node, const float* seed) {
    if (tree_.Bound(node, seed) >= largest_[node]) return;
    if (!tree_.is_leaf(node)) {
      Visit(tree_.left(node), seed);
      Visit(tree_.right(node), seed);
      largest_[node] = std::max(largest_[tree_.left(node)], largest_[tree_.right(node)]);
      return;
    }
    float distances[Lanes::kWidth];
    BlockDistances(seed, tree_.lanes(), tree_.block(node), 0, distances);
    float* const own = by_place_.data() + size_t{tree_.block(node)} * Lanes::kWidth;
    const auto points = tree_.points_of(node);
    for (size_t i = 0; i < points.size(); ++i) {
      if (!(distances[i] < own[i])) continue;
      own[i] = by_point_[points[i]] = distances[i];
      changed_[points[i] / kShelf] = 1;
    }
    largest_[node] = *std::max_element(own, own + Lanes::kWidth);
  }

  const LaneTree& tree_;
  std::vector<float> by_point_, by_place_, largest_;  // by point, by place in the tree, by node
  std::vector<double> shelves_;
  std::vector<uint8_t> changed_;
};

}  // namespace

std::vector<uint32_t> SeedPoints(const Points& points, const LaneTree& tree, size_t wanted, uint64_t seed,
                                 const Workers& workers) {
  TADA_ASSERT(wanted <= points.count && tree.count() == points.count);
  Random random(seed);
  Chances chances(tree);
  std::vector<uint8_t> taken(points.count, 0);
  std::vector<uint32_t> seeds;
  seeds.reserve(wanted);
  while (seeds.size() < wanted) {
    if (seeds.size() % 64 == 0) workers.Poll();
    if (!seeds.empty()) chances.Lower(points.point(seeds.back()).data());
    const double total = seeds.empty() ? 0 : chances.Total();
    size_t next = points.count;
    if (total > 0) next = chances.At(random.Unit() * total);
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
