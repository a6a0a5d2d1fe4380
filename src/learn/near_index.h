#pragma once

// Finds the nearest of many points (mixed_points.h): a tree whose nodes know the extent of each number and the values of
// each name among their points, so that whole branches are passed over.
//   leaf    a few points.     bound   no point of a node is nearer than this.
// In many dimensions bounds rule out little and every search would look at everything; so a search looks at a fixed number
// of leaves at most, nearest branches first. What it finds then is near, if not always nearest: an approximation that
// depends on nothing but the points.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/workers.h"
#include "learn/mixed_points.h"

namespace tada {

class NearIndex {
 public:
  /// Indexes `members`, ids of points of `points`, which must outlive the index.
  NearIndex(const MixedPoints& points, std::vector<uint32_t> members);

  /// The `count` members nearest to point `query`, without it, nearest first; fewer if there are fewer.
  void Nearest(uint32_t query, uint32_t count, std::vector<uint32_t>& found) const;

  /// Searches that had to stop before they were sure.
  uint64_t num_cut_short() const { return cut_short_; }

 private:
  struct Node {
    uint32_t begin = 0, end = 0;
    uint32_t left = 0, right = 0;  // 0: a leaf
  };
  struct Search;

  uint32_t Build(uint32_t begin, uint32_t end);
  void Measure(uint32_t node, uint32_t begin, uint32_t end);
  double Bound(uint32_t node, uint32_t query) const;
  void Visit(uint32_t node, Search& search) const;

  const MixedPoints& points_;
  std::vector<uint32_t> members_;
  std::vector<Node> nodes_;
  std::vector<double> extents_;   // low and high of each number, by node
  std::vector<uint64_t> values_;  // values of each name as bits, by node; all ones if there are more than 64
  mutable std::atomic<uint64_t> cut_short_{0};
};

}  // namespace tada
