#include "learn/clusters/dbscan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/random.h"
#include "base/status.h"
#include "learn/neighbours/collapse.h"

namespace tada {
namespace {

constexpr size_t kKneeRows = 20000;
constexpr double kSampleWork = 2e9;  // distances x columns that a sampled clustering may look at
constexpr size_t kMinSample = 500, kMaxSample = 20000;

// Which points belong together, by representatives.
class Union {
 public:
  explicit Union(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }
  uint32_t Find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The lower number stays, so that the result does not depend on the order of joins.
  void Join(uint32_t a, uint32_t b) {
    a = Find(a), b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> parent_;
};

// The points sorted into cells, and the boxes of the cells as points of a tree in their own right.
class Grid {
 public:
  Grid(const WeightedPoints& points, double side) : points_(points) {
    const size_t n = points.size(), width = points.width;
    std::vector<double> low(width, std::numeric_limits<double>::infinity());
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < width; ++j) low[j] = std::min(low[j], points.Point(i)[j]);
    }
    const auto key = [&](size_t i, size_t j) { return std::floor((points.Point(i)[j] - low[j]) / side); };
    Collapsed cells = CollapseEqual(
        n,
        [&](size_t i) {
          uint64_t hash = 0;
          for (size_t j = 0; j < width; ++j) hash = MixSeed(hash, std::bit_cast<uint64_t>(key(i, j)));
          return hash;
        },
        [&](size_t a, size_t b) {
          for (size_t j = 0; j < width; ++j) {
            if (key(a, j) != key(b, j)) return false;
          }
          return true;
        });
    cell_of = std::move(cells.number_of);
    Fill(cells.first.size());
  }

  size_t num_cells() const { return weights.size(); }
  std::span<const uint32_t> Points(uint32_t cell) const {
    return std::span(order_).subspan(first_[cell], first_[cell + 1] - first_[cell]);
  }
  double SquaredGap(uint32_t a, uint32_t b) const {
    double sum = 0;
    for (size_t j = 0; j < points_.width; ++j) {
      const double gap = std::max({0.0, Low(b, j) - High(a, j), Low(a, j) - High(b, j)});
      sum += gap * gap;
    }
    return sum;
  }
  double SquaredGapTo(uint32_t cell, const double* from) const {
    double sum = 0;
    for (size_t j = 0; j < points_.width; ++j) {
      const double gap = std::max({0.0, Low(cell, j) - from[j], from[j] - High(cell, j)});
      sum += gap * gap;
    }
    return sum;
  }
  double SquaredFarthest(uint32_t cell, const double* from) const {
    double sum = 0;
    for (size_t j = 0; j < points_.width; ++j) {
      const double far = std::max(std::abs(Low(cell, j) - from[j]), std::abs(High(cell, j) - from[j]));
      sum += far * far;
    }
    return sum;
  }
  double Low(uint32_t cell, size_t j) const { return boxes_[(cell * points_.width + j) * 2]; }
  double High(uint32_t cell, size_t j) const { return boxes_[(cell * points_.width + j) * 2 + 1]; }

  std::vector<uint32_t> cell_of;
  std::vector<uint64_t> weights;  // by cell

 private:
  void Fill(size_t cells) {
    const size_t width = points_.width;
    first_.assign(cells + 1, 0);
    weights.assign(cells, 0);
    boxes_.resize(cells * width * 2);
    for (size_t i = 0; i < cells * width; ++i) {
      boxes_[2 * i] = std::numeric_limits<double>::infinity();
      boxes_[2 * i + 1] = -std::numeric_limits<double>::infinity();
    }
    for (size_t i = 0; i < points_.size(); ++i) {
      const uint32_t cell = cell_of[i];
      ++first_[cell + 1];
      weights[cell] += points_.weights[i];
      for (size_t j = 0; j < width; ++j) {
        double* box = &boxes_[(cell * width + j) * 2];
        box[0] = std::min(box[0], points_.Point(i)[j]);
        box[1] = std::max(box[1], points_.Point(i)[j]);
      }
    }
    for (size_t cell = 0; cell < cells; ++cell) first_[cell + 1] += first_[cell];
    order_.resize(points_.size());
    std::vector<uint32_t> at(first_.begin(), first_.end() - 1);
    for (uint32_t i = 0; i < points_.size(); ++i) order_[at[cell_of[i]]++] = i;
  }

  const WeightedPoints& points_;
  std::vector<uint32_t> first_, order_;
  std::vector<double> boxes_;
};

// Lists the cells near a cell: a tree over the cells' centres, asked with a radius that no near cell can be beyond.
class CellNeighbours {
 public:
  CellNeighbours(const Grid& grid, size_t width, double eps) : grid_(grid), eps_squared_(eps * eps) {
    centres_.width = width;
    centres_.weights.assign(grid.num_cells(), 1);
    centres_.at.resize(grid.num_cells() * width);
    std::vector<uint32_t> all(grid.num_cells());
    for (uint32_t cell = 0; cell < grid.num_cells(); ++cell) {
      all[cell] = cell;
      for (size_t j = 0; j < width; ++j) centres_.at[cell * width + j] = (grid.Low(cell, j) + grid.High(cell, j)) / 2;
    }
    // Half a cell's diagonal is at most eps / 2 on either side.
    squared_radius_ = 4 * eps_squared_ * (1 + 1e-9);
    tree_.emplace(centres_, std::move(all));
  }

  template <class F>
  void ForNear(uint32_t cell, F&& f) const {
    tree_->ForWithin(centres_.Point(cell), squared_radius_,
                     [&](uint32_t other) { return grid_.SquaredGap(cell, other) > eps_squared_ || f(other); });
  }

 private:
  const Grid& grid_;
  const double eps_squared_;
  double squared_radius_ = 0;
  WeightedPoints centres_;
  std::optional<PointTree> tree_;
};

// Numbers the clusters by their first point and lets border points follow `core_of`, the core point they go to.
void Number(DensityClusters& result, Union& parts, const std::vector<uint32_t>& core_of) {
  const size_t n = core_of.size();
  std::vector<int32_t> number(n, kNoise);
  result.cluster_of.assign(n, kNoise);
  for (size_t i = 0; i < n; ++i) {
    if (core_of[i] == UINT32_MAX) continue;
    int32_t& cluster = number[parts.Find(core_of[i])];
    if (cluster == kNoise) cluster = result.num_clusters++;
    result.cluster_of[i] = cluster;
  }
}

class GridDbscan {
 public:
  GridDbscan(const WeightedPoints& points, const DbscanOptions& options, const Workers& workers)
      : points_(points),
        workers_(workers),
        eps_squared_(options.eps * options.eps),
        min_points_(options.min_points),
        // A little less than eps / sqrt(columns), so that rounding cannot put two points of a cell beyond eps.
        grid_(points, options.eps / std::sqrt(static_cast<double>(points.width)) * (1 - 1e-9)),
        near_(grid_, points.width, options.eps) {}

  DensityClusters Run() {
    DensityClusters result;
    FindCore(result.core);
    Union parts(points_.size());
    JoinCells(parts);
    std::vector<uint32_t> core_of(points_.size(), UINT32_MAX);
    AttachBorder(result.core, core_of);
    Number(result, parts, core_of);
    return result;
  }

 private:
  // Weighs what is within eps of a point, cell by cell, until it is enough.
  bool IsCore(uint32_t point) const {
    uint64_t weight = 0;
    const double* from = points_.Point(point);
    near_.ForNear(grid_.cell_of[point], [&](uint32_t cell) {
      if (grid_.SquaredGapTo(cell, from) > eps_squared_) return true;
      if (grid_.SquaredFarthest(cell, from) < eps_squared_ * (1 - 1e-12)) {
        weight += grid_.weights[cell];
        return weight < min_points_;
      }
      for (const uint32_t other : grid_.Points(cell)) {
        if (points_.SquaredDistance(other, from) <= eps_squared_) weight += points_.weights[other];
      }
      return weight < min_points_;
    });
    return weight >= min_points_;
  }

  void FindCore(std::vector<uint8_t>& core) {
    core.assign(points_.size(), 0);
    core_points_.resize(grid_.num_cells());
    workers_.ForBlocks(grid_.num_cells(), 64, [&](size_t begin, size_t end) {
      for (size_t cell = begin; cell < end; ++cell) {
        const bool all = grid_.weights[cell] >= min_points_;
        for (const uint32_t point : grid_.Points(static_cast<uint32_t>(cell))) {
          if (!all && !IsCore(point)) continue;
          core[point] = 1;
          core_points_[cell].push_back(point);
        }
      }
    });
  }

  // Whether a core point of one cell is within eps of a core point of the other.
  bool Linked(uint32_t a, uint32_t b) const {
    for (const uint32_t i : core_points_[a]) {
      const double* from = points_.Point(i);
      if (grid_.SquaredGapTo(b, from) > eps_squared_) continue;
      for (const uint32_t j : core_points_[b]) {
        if (points_.SquaredDistance(j, from) <= eps_squared_) return true;
      }
    }
    return false;
  }

  void JoinCells(Union& parts) {
    for (uint32_t cell = 0; cell < grid_.num_cells(); ++cell) {
      if (cell % 1024 == 0) workers_.Poll();
      for (const uint32_t point : core_points_[cell]) parts.Join(core_points_[cell][0], point);
    }
    for (uint32_t cell = 0; cell < grid_.num_cells(); ++cell) {
      if (cell % 1024 == 0) workers_.Poll();
      if (core_points_[cell].empty()) continue;
      near_.ForNear(cell, [&](uint32_t other) {
        if (other <= cell || core_points_[other].empty()) return true;
        const uint32_t a = core_points_[cell][0], b = core_points_[other][0];
        if (parts.Find(a) != parts.Find(b) && Linked(cell, other)) parts.Join(a, b);
        return true;
      });
    }
  }

  void AttachBorder(const std::vector<uint8_t>& core, std::vector<uint32_t>& core_of) const {
    workers_.ForBlocks(points_.size(), 1024, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (core[i] != 0) {
          core_of[i] = static_cast<uint32_t>(i);
          continue;
        }
        const double* from = points_.Point(i);
        double nearest = std::numeric_limits<double>::infinity();
        near_.ForNear(grid_.cell_of[i], [&](uint32_t cell) {
          if (core_points_[cell].empty() || grid_.SquaredGapTo(cell, from) > eps_squared_) return true;
          for (const uint32_t other : core_points_[cell]) {
            const double distance = points_.SquaredDistance(other, from);
            if (distance > eps_squared_ || distance > nearest || (distance == nearest && other > core_of[i])) continue;
            nearest = distance;
            core_of[i] = other;
          }
          return true;
        });
      }
    });
  }

  const WeightedPoints& points_;
  const Workers& workers_;
  const double eps_squared_;
  const uint64_t min_points_;
  const Grid grid_;
  const CellNeighbours near_;
  std::vector<std::vector<uint32_t>> core_points_;  // by cell
};

// Tests a sample for being core among all points, links the core ones, and lets every point follow its nearest.
DensityClusters SampledDbscan(const WeightedPoints& points, const DbscanOptions& options, const Workers& workers) {
  const size_t n = points.size();
  const auto affordable = static_cast<size_t>(kSampleWork / static_cast<double>(n) / static_cast<double>(points.width));
  std::vector<uint32_t> sample(n);
  std::iota(sample.begin(), sample.end(), 0u);
  Random(MixSeed(options.seed, 0xDB5CA9)).Shuffle(std::span(sample));
  sample.resize(std::min(n, std::clamp(affordable, kMinSample, kMaxSample)));
  std::sort(sample.begin(), sample.end());
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  const PointTree tree(points, std::move(all));
  const double eps_squared = options.eps * options.eps;

  DensityClusters result;
  result.sampled = sample.size();
  result.core.assign(n, 0);
  workers.ForBlocks(sample.size(), 16, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      workers.Poll();
      uint64_t weight = 0;
      tree.ForWithin(points.Point(sample[i]), eps_squared,
                     [&](uint32_t other) { return (weight += points.weights[other]) < options.min_points; });
      result.core[sample[i]] = weight >= options.min_points ? 1 : 0;
    }
  });
  std::vector<uint32_t> cores;
  for (const uint32_t point : sample) {
    if (result.core[point] != 0) cores.push_back(point);
  }
  const PointTree core_tree(points, cores);
  Union parts(n);
  for (const uint32_t point : cores) {
    core_tree.ForWithin(points.Point(point), eps_squared, [&](uint32_t other) {
      parts.Join(point, other);
      return true;
    });
  }
  std::vector<uint32_t> core_of(n, UINT32_MAX);
  workers.ForBlocks(n, 256, [&](size_t begin, size_t end) {
    uint32_t near = UINT32_MAX;  // points of a box have near cores
    for (size_t i = begin; i < end; ++i) {
      workers.Poll();
      const uint32_t point = tree.members()[i];
      const PointTree::Found found = core_tree.Nearest(points.Point(point), near, eps_squared);
      if (found.member == UINT32_MAX) continue;
      near = core_of[point] = found.member;
    }
  });
  Number(result, parts, core_of);
  return result;
}

}  // namespace

DensityClusters Dbscan(const WeightedPoints& points, const DbscanOptions& options, const Workers& workers) {
  if (points.size() == 0) return {};
  TADA_ASSERT(options.eps > 0 && points.width > 0);
  if (options.force_sample || points.width > kMaxGridColumns) return SampledDbscan(points, options, workers);
  return GridDbscan(points, options, workers).Run();
}

Knee FindKnee(const WeightedPoints& points, uint64_t min_points, uint64_t seed, const Workers& workers) {
  Knee knee;
  const uint64_t rows = std::accumulate(points.weights.begin(), points.weights.end(), uint64_t{0});
  if (rows == 0) return knee;
  // Rows are drawn, not points, so that a point counts as often as it occurs. In many columns the tree prunes little, so
  // that fewer have to do.
  const size_t most = points.width <= kMaxGridColumns ? kKneeRows : 2000;
  std::vector<uint32_t> drawn;
  if (rows <= most) {
    for (uint32_t i = 0; i < points.size(); ++i) drawn.insert(drawn.end(), points.weights[i], i);
  } else {
    std::vector<uint64_t> places(most);
    Random random(MixSeed(seed, 0x14EE));
    for (uint64_t& place : places) place = random.Below(rows);
    std::sort(places.begin(), places.end());
    uint64_t passed = 0;
    uint32_t point = 0;
    for (const uint64_t place : places) {
      while (passed + points.weights[point] <= place) passed += points.weights[point++];
      drawn.push_back(point);
    }
  }
  std::vector<uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  const PointTree tree(points, std::move(all));
  knee.curve.resize(drawn.size());
  workers.ForBlocks(drawn.size(), 64, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      knee.curve[i] = std::sqrt(tree.SquaredReach(points.Point(drawn[i]), std::min(min_points, rows)));
    }
  });
  std::sort(knee.curve.begin(), knee.curve.end());
  const double first = knee.curve.front(), rise = knee.curve.back() - first;
  double farthest = -1;
  for (size_t i = 0; i < knee.curve.size(); ++i) {
    const double x = knee.curve.size() > 1 ? static_cast<double>(i) / static_cast<double>(knee.curve.size() - 1) : 0;
    const double below = rise > 0 ? x - (knee.curve[i] - first) / rise : 0;
    if (below > farthest) farthest = below, knee.position = i;
  }
  knee.eps = knee.curve[knee.position];
  return knee;
}

}  // namespace tada
