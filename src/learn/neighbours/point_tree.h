#pragma once

// A k-d tree over points with weights, for Euclidean distances: which box lies within reach, how far out a weight is
// reached, which point is nearest.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tada {

/// Points side by side, `width` coordinates each, and how many rows each stands for.
struct WeightedPoints {
  size_t width = 0;
  std::vector<double> at;
  std::vector<uint32_t> weights;

  size_t size() const { return weights.size(); }
  const double* Point(size_t i) const { return at.data() + i * width; }
  /// Squares summed in column order: the same bits as any other program that does so.
  double SquaredDistance(size_t i, const double* other) const {
    double sum = 0;
    for (size_t j = 0; j < width; ++j) {
      const double difference = at[i * width + j] - other[j];
      sum += difference * difference;
    }
    return sum;
  }
  /// The same, or, once the first columns alone make it more than `most`, what they make: sums of squares only rise.
  double SquaredDistanceUpTo(double most, size_t i, const double* other) const {
    const double* point = Point(i);
    double sum = 0;
    for (size_t j = 0; j < width; ++j) {
      if (j == kFirstColumns && sum > most) return sum;
      const double difference = point[j] - other[j];
      sum += difference * difference;
    }
    return sum;
  }
  static constexpr size_t kFirstColumns = 4;
};

class PointTree {
 public:
  /// `points` must outlive the tree; `members` lists those that are in it.
  PointTree(const WeightedPoints& points, std::vector<uint32_t> members);

  /// The square of the smallest distance from `from` within which members weigh at least `weight`; infinity if never.
  double SquaredReach(const double* from, uint64_t weight) const;

  struct Found {
    uint32_t member = UINT32_MAX;
    double squared_distance = std::numeric_limits<double>::infinity();
  };
  /// The nearest member, the one with the lowest number if several are equally near. `near`: a member that may be near, which makes the search
  /// shorter and changes nothing else. Only members within `squared_radius` count; UINT32_MAX if there is none.
  Found Nearest(const double* from, uint32_t near = UINT32_MAX,
                double squared_radius = std::numeric_limits<double>::infinity()) const;

  /// The members, those of a box next to each other.
  const std::vector<uint32_t>& members() const { return members_; }

  /// Calls f(member) for every member within `squared_radius`, until f returns false.
  template <class F>
  void ForWithin(const double* from, double squared_radius, F&& f) const {
    if (!nodes_.empty()) VisitWithin(0, from, squared_radius, f);
  }

 private:
  struct Node {
    uint32_t begin = 0, end = 0, left = 0, right = 0;  // left 0: a leaf
  };

  uint32_t Build(uint32_t begin, uint32_t end);
  /// The square of the distance from a place to the box of a node.
  double SquaredBound(uint32_t node, const double* from) const;

  template <class F>
  bool VisitWithin(uint32_t index, const double* from, double squared_radius, F& f) const {
    if (SquaredBound(index, from) > squared_radius) return true;
    const Node& node = nodes_[index];
    if (node.left != 0) {
      return VisitWithin(node.left, from, squared_radius, f) && VisitWithin(node.right, from, squared_radius, f);
    }
    for (uint32_t i = node.begin; i < node.end; ++i) {
      if (placed_.SquaredDistance(i, from) <= squared_radius && !f(members_[i])) return false;
    }
    return true;
  }

  const WeightedPoints& points_;
  std::vector<uint32_t> members_;
  WeightedPoints placed_;  // the members' points, in their order
  std::vector<Node> nodes_;
  std::vector<double> boxes_;  // low and high of each column, by node
};

}  // namespace tada
