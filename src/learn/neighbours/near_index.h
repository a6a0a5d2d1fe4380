#pragma once

// Finds the nearest of many points (mixed_points.h): a tree whose nodes know the extent of each number and the values of
// each name among their points, so that whole branches are passed over.
//   leaf    up to eight points.     bound   no point of a node is nearer than this.
// A leaf holds its points column by column, so that one instruction works on several of them, and in single precision. A
// bound is a sum of terms none of which is above a point's, added up in the same order; so rounding cannot lift it above the
// distance of a point, and what is passed over is passed over rightly.
// In many dimensions bounds rule out little and every search would look at everything; so a search looks at eight leaves a
// point that is wanted at most, nearest branches first. What it finds then is near, if not always nearest: an approximation
// that depends on nothing but the points.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "learn/neighbours/mixed_points.h"

namespace tada {

class NearIndex {
 public:
  /// Indexes `members`, ids of points of `points`, which must outlive the index.
  NearIndex(const MixedPoints& points, std::vector<uint32_t> members);

  /// The `count` members nearest to point `query`, without it, nearest first; fewer if there are fewer.
  void Nearest(uint32_t query, uint32_t count, std::vector<uint32_t>& found) const;

  /// All members within this distance of point `query`, itself included, in the order of the tree. Complete; single precision may add some
  /// that are hardly farther.
  void Within(uint32_t query, double distance, std::vector<uint32_t>& found) const;

  /// The points in the order of the tree: who searches for them in this order finds much of the tree in the cache.
  const std::vector<uint32_t>& members() const { return members_; }

  /// Searches that had to stop before they were sure.
  uint64_t num_cut_short() const { return cut_short_; }

 private:
  struct Node {
    uint32_t begin = 0, end = 0;
    uint32_t left = 0, right = 0;  // 0: a leaf, and `right` says which
  };
  struct Search;

  uint32_t Build(uint32_t begin, uint32_t end);
  void Measure(uint32_t node, uint32_t begin, uint32_t end);
  void FillLeaf(uint32_t begin, uint32_t end);
  float Bound(uint32_t node, const Search& search) const;
  void Visit(uint32_t node, Search& search) const;
  void VisitLeaf(const Node& node, Search& search) const;

  const MixedPoints& points_;
  std::vector<float> steps_;
  std::vector<uint32_t> members_;
  std::vector<Node> nodes_;
  std::vector<float> extents_;       // low and high of each number, by node
  std::vector<uint64_t> values_;     // values of each name as bits, by node; all ones if there are more than 64
  std::vector<float> leaf_numbers_;  // by leaf, column and point
  std::vector<Code> leaf_names_;
  uint32_t num_leaves_ = 0;
  mutable std::atomic<uint64_t> cut_short_{0};
};

}  // namespace tada
