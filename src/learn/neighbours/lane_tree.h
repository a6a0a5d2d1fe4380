#pragma once

// Points in a tree of boxes, so that who looks for near ones passes over whole branches.
//   leaf    a block of sixteen lanes (points.h), with the points in the order of the tree.
//   bound   no point of a node is nearer than this. It is a sum of terms none of which is above a point's, added up in the same
//           order, so rounding cannot lift it above the distance of a point, in single or in double precision: what is passed over
//           is passed over rightly, and every search finds the same as a look at all points.
// Boxes are wider by the smallest step of a float, so that means that were rounded to floats lie inside too.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/neighbours/points.h"

namespace tada {

class LaneTree {
 public:
  explicit LaneTree(const Points& points);

  size_t count() const { return lanes_.count(); }
  size_t features() const { return lanes_.features(); }
  /// The points in the order of the tree; leaf b has those from b * Lanes::kWidth on.
  const Lanes& lanes() const { return lanes_; }
  /// The points, by their place in the tree.
  std::span<const uint32_t> order() const { return order_; }

  static constexpr uint32_t kRoot = 0;
  size_t num_nodes() const { return nodes_.size(); }
  bool is_leaf(uint32_t node) const { return nodes_[node].right == 0; }
  /// Of a leaf: its block of lanes.
  uint32_t block(uint32_t node) const { return nodes_[node].block; }
  uint32_t left(uint32_t node) const { return node + 1; }
  uint32_t right(uint32_t node) const { return nodes_[node].right; }

  /// The box of a node: low and high of each feature.
  const float* box(uint32_t node) const { return boxes_.data() + size_t{node} * 2 * features(); }
  /// The bound of a node on squared distances to `place`.
  template <class Number>
  Number Bound(uint32_t node, const Number* place) const {
    const float* const sides = box(node);
    Number sum = 0;
    for (size_t f = 0; f < features(); ++f) {
      const Number outside = std::max({Number{0}, sides[2 * f] - place[f], place[f] - sides[2 * f + 1]});
      sum += outside * outside;
    }
    return sum;
  }

  /// The squared distance of a point, by its number, to `place`.
  float Distance(const float* place, uint32_t point) const {
    const uint32_t at = place_of_[point];
    const float* lane = lanes_.block(at / Lanes::kWidth) + at % Lanes::kWidth;
    float sum = 0;
    for (size_t f = 0; f < features(); ++f) {
      const float difference = lane[f * Lanes::kWidth] - place[f];
      sum += difference * difference;
    }
    return sum;
  }

  /// Calls visit(leaf) for the leaves whose bound is not above limit(), which may fall meanwhile; nearer branches first.
  template <class Number, class Limit, class Visit>
  void ForNear(const Number* place, Limit&& limit, Visit&& visit) const {
    struct Waiting {
      uint32_t node;
      Number bound;
    };
    Waiting waiting[kMaxDepth];
    size_t count = 0;
    waiting[count++] = {kRoot, Bound(kRoot, place)};
    while (count > 0) {
      auto [node, bound] = waiting[--count];
      while (!(bound > limit())) {
        if (is_leaf(node)) {
          visit(node);
          break;
        }
        Waiting near{left(node), Bound(left(node), place)}, far{right(node), Bound(right(node), place)};
        if (far.bound < near.bound) std::swap(near, far);
        waiting[count++] = far;
        node = near.node;
        bound = near.bound;
      }
    }
  }

  /// The points of a leaf.
  std::span<const uint32_t> points_of(uint32_t leaf) const {
    const size_t begin = size_t{block(leaf)} * Lanes::kWidth;
    return order().subspan(begin, std::min(Lanes::kWidth, count() - begin));
  }

  static constexpr size_t kMaxDepth = 40;  // a leaf less than 2^36 points

 private:
  struct Node {
    uint32_t right = 0;  // 0: a leaf; the left one follows its parent
    uint32_t block = 0;
  };
  uint32_t Build(const Points& points, size_t begin_block, size_t end_block);

  std::vector<uint32_t> order_, place_of_;
  std::vector<Node> nodes_;
  std::vector<float> boxes_;  // low and high of each feature, by node
  Lanes lanes_;
};

}  // namespace tada
