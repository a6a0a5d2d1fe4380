#include "partition/engine/splits/admissible.h"

#include <algorithm>
#include <bit>

#include "base/fault.h"
namespace tada {

Admissible::Admissible(const Problem& problem) : checker_(problem.checker) {}

bool Admissible::ByMasks(const NodeRows& rows, const Node& node, std::span<const uint16_t> child,
                         uint32_t num_children) {
  for (size_t s = 0; s < checker_.sensitive().size(); ++s) {
    masks_.assign(num_children, 0);
    rows.rows.Visit(rows.first_sensitive + static_cast<uint32_t>(s), node.begin, node.end, [&](auto values) {
      for (size_t i = 0; i < values.size(); ++i) masks_[child[i]] |= uint64_t{1} << values[i];
    });
    for (const uint64_t mask : masks_) {
      if (static_cast<uint32_t>(std::popcount(mask & checker_.sensitive()[s].counted_bits())) < checker_.distinct_l())
        return false;
    }
  }
  return true;
}

bool Admissible::BothSides(const NodeRows& rows, const Node& node, std::span<const uint16_t> child) {
  if (!checker_.needs_values() || TADA_FAULT("split-values")) return true;
  if (checker_.distinct_l() > 0) return ByMasks(rows, node, child, 2);
  return AllChildren(rows, node, child, 2);
}

bool Admissible::AllChildren(const NodeRows& rows, const Node& node, std::span<const uint16_t> child,
                             uint32_t num_children) {
  if (TADA_FAULT("split-branches")) return true;
  while (tallies_.size() < num_children) tallies_.push_back(checker_.EmptyTally());
  for (uint32_t c = 0; c < num_children; ++c) tallies_[c].Clear();
  const std::span<const uint32_t> weights = rows.rows.Weights(node.begin, node.end);
  const auto weight = [&](size_t i) { return weights.empty() ? 1 : weights[i]; };
  for (size_t i = 0; i < child.size(); ++i) tallies_[child[i]].rows += weight(i);
  const auto large_enough = [&](const Tally& tally) { return tally.rows >= checker_.smallest_group(); };
  if (!std::all_of(tallies_.begin(), tallies_.begin() + num_children, large_enough)) return false;
  if (!checker_.needs_values()) return true;
  if (checker_.distinct_l() > 0) return ByMasks(rows, node, child, num_children);
  for (size_t s = 0; s < checker_.sensitive().size(); ++s) {
    rows.rows.Visit(rows.first_sensitive + static_cast<uint32_t>(s), node.begin, node.end, [&](auto values) {
      for (size_t i = 0; i < values.size(); ++i) checker_.AddMark(s, values[i], tallies_[child[i]], weight(i));
    });
  }
  return std::all_of(tallies_.begin(), tallies_.begin() + num_children,
                     [&](const Tally& tally) { return checker_.Holds(tally); });
}

bool Admissible::AllChildren(const ValueTable& table, std::span<const uint16_t> child, uint32_t num_children) {
  if (TADA_FAULT("split-branches")) return true;
  while (tallies_.size() < num_children) tallies_.push_back(checker_.EmptyTally());
  for (uint32_t c = 0; c < num_children; ++c) tallies_[c].Clear();
  for (size_t v = 0; v < table.size(); ++v) tallies_[child[v]].rows += table.rows(v);
  for (uint32_t c = 0; c < num_children; ++c) {
    if (tallies_[c].rows < checker_.smallest_group()) return false;
  }
  if (!checker_.needs_values()) return true;
  for (size_t s = 0; s < checker_.sensitive().size(); ++s) {
    for (size_t v = 0; v < table.size(); ++v) {
      table.ForEachSensitive(s, v,
                             [&](Code mark, uint32_t rows) { checker_.AddMark(s, mark, tallies_[child[v]], rows); });
    }
  }
  return std::all_of(tallies_.begin(), tallies_.begin() + num_children,
                     [&](const Tally& tally) { return checker_.Holds(tally); });
}

}  // namespace tada
