#include "audit/checks/earth_mover.h"

#include <algorithm>
#include <map>

namespace tada {

Fraction EqualDistance(const ClassShares& values, const ReferenceShares& reference) {
  Wide differences = 0;
  uint64_t seen = 0;  // of the reference, in values that the class has
  for (const auto& [value, count] : values.values) {
    const Wide has = Wide{reference.total} * count, fair = Wide{values.total} * reference.counts[value];
    differences += has > fair ? has - fair : fair - has;
    seen += reference.counts[value];
  }
  differences += Wide{values.total} * (reference.total - seen);
  return {differences, Wide{2} * values.total * reference.total};
}

OrderedDistance::OrderedDistance(const std::vector<Code>& order, const ReferenceShares& reference)
    : rank_of_(reference.counts.size(), 0), total_(reference.total) {
  before_.push_back(0);
  rank_times_before_.push_back(0);
  for (uint32_t rank = 0; rank < order.size(); ++rank) {
    rank_of_[order[rank]] = rank;
    before_.push_back(before_.back() + reference.counts[order[rank]]);
    rank_times_before_.push_back(rank_times_before_.back() + Wide{rank} * reference.counts[order[rank]]);
  }
}

// The integral of the rank over the first `mass` of the reference, whose counts are taken `members` times.
Wide OrderedDistance::RankSum(Wide mass, uint64_t members) const {
  const auto above = std::upper_bound(before_.begin(), before_.end() - 1, mass,
                                      [&](Wide sought, uint64_t count) { return sought < Wide{count} * members; });
  const auto rank = static_cast<size_t>(above - before_.begin()) - 1;
  return rank_times_before_[rank] * members + (mass - Wide{before_[rank]} * members) * rank;
}

// The work of carrying the reference's mass from begin to end to a rank.
Wide OrderedDistance::CostTo(uint32_t rank, Wide begin, Wide end, uint64_t members) const {
  const Wide turn = std::clamp(Wide{before_[rank]} * members, begin, end);  // lower ranks stand before it
  const Wide from_below = (turn - begin) * rank - (RankSum(turn, members) - RankSum(begin, members));
  const Wide from_above = RankSum(end, members) - RankSum(turn, members) - (end - turn) * rank;
  return from_below + from_above;
}

Fraction OrderedDistance::Of(const ClassShares& values) const {
  if (before_.size() < 3) return {0, 1};  // one value: nothing to move
  std::vector<std::pair<uint32_t, uint64_t>> ranked;
  for (const auto& [value, count] : values.values) ranked.emplace_back(rank_of_[value], count);
  std::sort(ranked.begin(), ranked.end());
  Wide work = 0, taken = 0;
  for (const auto& [rank, count] : ranked) {
    const Wide mass = Wide{total_} * count;
    work += CostTo(rank, taken, taken + mass, values.total);
    taken += mass;
  }
  return {work, Wide{values.total} * total_ * (before_.size() - 2)};
}

TreeDistance::TreeDistance(std::vector<std::vector<Code>> paths, const ReferenceShares& reference)
    : paths_(std::move(paths)), reference_(reference) {
  for (const std::vector<Code>& path : paths_) height_ = std::max(height_, path.size());
}

Fraction TreeDistance::Of(const ClassShares& values) const {
  if (height_ == 0) return {0, 1};
  // What each node has too much of, and too little of, times m N; at first each value is a node.
  struct Extra {
    Wide much = 0, little = 0;
  };
  std::vector<uint64_t> counts(reference_.counts.size(), 0);
  for (const auto& [value, count] : values.values) counts[value] = count;
  std::map<std::vector<Code>, Extra> nodes;  // by what is left of the path to the top
  for (Code value = 0; value < counts.size(); ++value) {
    const Wide has = Wide{reference_.total} * counts[value], fair = Wide{values.total} * reference_.counts[value];
    Extra& extra = nodes[paths_[value]];  // a parent: what its children have
    (has > fair ? extra.much : extra.little) += has > fair ? has - fair : fair - has;
  }
  Wide work = 0;
  for (size_t height = 1; height <= height_; ++height) {
    std::map<std::vector<Code>, Extra> parents;
    for (const auto& [path, extra] : nodes) {
      const Wide settled = std::min(extra.much, extra.little);
      work += settled * height;
      Extra& up = parents[std::vector<Code>(path.begin() + 1, path.end())];
      up.much += extra.much - settled;
      up.little += extra.little - settled;
    }
    nodes = std::move(parents);
  }
  return {work, Wide{values.total} * reference_.total * height_};
}

}  // namespace tada
