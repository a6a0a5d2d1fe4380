#pragma once

// Finds the nearest of many points (mixed_points.h): a tree whose nodes know the extent of each number and the values of
// each name among their points, so that whole branches are passed over.
//   leaf    up to eight points.     bound   no point of a node is nearer than this.
//   block   up to eight leaves, the lowest node with more than that above it.
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
  static constexpr uint32_t kWidth = 8;  ///< points of a leaf, leaves of a block

  /// Indexes `members`, ids of points of `points`, which must outlive the index.
  NearIndex(const MixedPoints& points, std::vector<uint32_t> members);

  /// The `count` members nearest to point `query`, without it, nearest first; fewer if there are fewer.
  void Nearest(uint32_t query, uint32_t count, std::vector<uint32_t>& found) const;

  /// The same for all members of a leaf at once, which costs a fraction of it: they share a way through the tree and the
  /// leaves that are looked at, blocks that may hold the nearest first. A leaf's points are those of members() from FirstOfLeaf
  /// on; `lists` has a list of `count` points for each of them, one after the other, filled up with itself where there are fewer.
  void NearestOfLeaf(uint32_t leaf, uint32_t count, std::vector<uint32_t>& lists) const;
  uint32_t num_leaves() const { return static_cast<uint32_t>(leaf_nodes_.size()); }
  uint32_t FirstOfLeaf(uint32_t leaf) const { return nodes_[leaf_nodes_[leaf]].begin; }

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
    uint32_t block = UINT32_MAX;   // where the node is one: which
    uint32_t size() const { return end - begin; }
  };
  struct Search;
  struct Packet;

  uint32_t Build(uint32_t begin, uint32_t end);
  void Measure(uint32_t node, uint32_t begin, uint32_t end);
  void FillLeaf(uint32_t begin, uint32_t end);
  float Bound(uint32_t node, const Search& search) const;
  void Visit(uint32_t node, Search& search) const;
  void VisitLeaf(const Node& node, Search& search) const;
  void FillBlocks();
  float BoundOfBoxes(uint32_t a, uint32_t b) const;
  float BoundOfQuery(uint32_t node, const Packet& packet, uint32_t query) const;
  void VisitBlock(uint32_t block, Packet& packet) const;
  void VisitLeaf(uint32_t leaf, Packet& packet) const;

  const MixedPoints& points_;
  std::vector<float> steps_;
  std::vector<uint32_t> members_;
  std::vector<Node> nodes_;
  std::vector<float> extents_;       // low and high of each number, by node
  std::vector<uint64_t> values_;     // values of each name as bits, by node; all ones if there are more than 64
  std::vector<float> leaf_numbers_;  // by leaf, column and point
  std::vector<Code> leaf_names_;
  std::vector<uint32_t> leaf_nodes_;  // by leaf
  // Leaves of a block follow one another; what their nodes know stands by block, column and leaf.
  std::vector<uint32_t> first_leaf_;    // by block, and the end
  std::vector<float> block_extents_;    // the lows, then the highs of a column
  std::vector<uint32_t> block_values_;  // the lower halves, then the upper ones
  mutable std::atomic<uint64_t> cut_short_{0};
};

}  // namespace tada
