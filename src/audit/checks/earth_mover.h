#pragma once

// The earth mover's distance of t-closeness: the least work that turns the distribution of a class into that of the reference,
// where moving all of it as far as possible is 1. From the definitions of Li, Li, Venkatasubramanian (2007), section 5.

#include <vector>

#include "audit/checks/value_shares.h"

namespace tada {

/// All values are equally far from each other: half of the sum of all differences of shares.
Fraction EqualDistance(const ClassShares& values, const ReferenceShares& reference);

/// The distance of two values is the difference of their ranks, over the number of values less one. Found by carrying the
/// masses over: the reference's are taken in the order of their values by the class's in the order of theirs.
class OrderedDistance {
 public:
  /// `order`: all values that occur in the reference, ascending.
  OrderedDistance(const std::vector<Code>& order, const ReferenceShares& reference);
  Fraction Of(const ClassShares& values) const;

 private:
  Wide CostTo(uint32_t rank, Wide begin, Wide end, uint64_t members) const;
  Wide RankSum(Wide mass, uint64_t members) const;

  std::vector<uint32_t> rank_of_;        // by value
  std::vector<uint64_t> before_;         // by rank: the reference's count of lower ranks; the total at the end
  std::vector<Wide> rank_times_before_;  // by rank: the sum of rank times count over lower ranks
  uint64_t total_;
};

/// The distance of two values is the level at which their paths meet, over the number of levels. Found node by node: what a
/// node's children have too much and too little of is settled below it as far as it can be, at the cost of its height.
class TreeDistance {
 public:
  /// `paths`: by value, its nodes at levels 1, 2, ... up to the top. Nodes are numbered within their level.
  TreeDistance(std::vector<std::vector<Code>> paths, const ReferenceShares& reference);
  Fraction Of(const ClassShares& values) const;

 private:
  std::vector<std::vector<Code>> paths_;
  const ReferenceShares& reference_;
  size_t height_ = 0;
};

}  // namespace tada
