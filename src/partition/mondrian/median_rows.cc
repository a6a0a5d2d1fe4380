#include "partition/mondrian/median_rows.h"

#include <algorithm>

#include "partition/engine/splits/taxonomy_split.h"

namespace tada {

MedianRows::MedianRows(const Problem& problem, const NodeRows& rows, const Node& node, MedianRowsScratch& scratch,
                       std::vector<uint16_t>& child)
    : MedianView(rows.rows.NumRows(node.begin, node.end)),
      problem_(problem),
      rows_(rows),
      node_(node),
      scratch_(scratch),
      child_(child),
      weights_(rows.rows.Weights(node.begin, node.end)) {}

template <class F>
decltype(auto) MedianRows::Visit(const Axis& axis, const F& f) const {
  return rows_.rows.Visit(axis.column, node_.begin, node_.end, [&](auto codes) {
    return weights_.empty() ? f(codes, [](size_t) { return 1u; }) : f(codes, [&](size_t i) { return weights_[i]; });
  });
}

Axis MedianRows::FindAxis(uint32_t column) {
  const WorkingRows::Extent extent = rows_.rows.FindExtent(column, node_.begin, node_.end);
  return {0, column, extent.low, extent.high};
}

double MedianRows::SpanByHierarchy(uint32_t column) { return TaxonomySpan(problem_, column, rows_, node_); }

std::span<const uint32_t> MedianRows::CountCodes(const Axis& axis) {
  scratch_.counts.assign(axis.high - axis.low + 1, 0);
  Visit(axis, [&](auto codes, const auto& weight) {
    for (size_t i = 0; i < codes.size(); ++i) scratch_.counts[codes[i] - axis.low] += weight(i);
  });
  return scratch_.counts;
}

// By counting if the codes are dense, else by selection. Positions may stand for several equal rows; ranks are of rows.
Middle MedianRows::FindMiddle(const Axis& axis) {
  const uint64_t lower_rank = (num_rows() - 1) / 2, upper_rank = num_rows() / 2;
  if (axis.high - axis.low + 1 <= 2 * size_t{node_.size()} + 16) {
    const std::span<const uint32_t> counts = CountCodes(axis);
    uint64_t seen = 0;
    size_t at = 0;
    while (seen + counts[at] <= lower_rank) seen += counts[at++];
    const auto lower = static_cast<Code>(axis.low + at);
    while (seen + counts[at] <= upper_rank) seen += counts[at++];
    return {lower, static_cast<Code>(axis.low + at)};
  }
  return Visit(axis, [&](auto codes, const auto& weight) -> Middle {
    if (num_rows() == codes.size()) {  // one row per position
      scratch_.codes.assign(codes.begin(), codes.end());
      const auto middle = scratch_.codes.begin() + static_cast<ptrdiff_t>(upper_rank);
      std::nth_element(scratch_.codes.begin(), middle, scratch_.codes.end());
      const Code upper = *middle;
      return {lower_rank == upper_rank ? upper : *std::max_element(scratch_.codes.begin(), middle), upper};
    }
    scratch_.weighted.clear();
    for (size_t i = 0; i < codes.size(); ++i) scratch_.weighted.emplace_back(codes[i], weight(i));
    std::sort(scratch_.weighted.begin(), scratch_.weighted.end());
    uint64_t seen = 0;
    size_t at = 0;
    while (seen + scratch_.weighted[at].second <= lower_rank) seen += scratch_.weighted[at++].second;
    const Code lower = scratch_.weighted[at].first;
    while (seen + scratch_.weighted[at].second <= upper_rank) seen += scratch_.weighted[at++].second;
    return {lower, scratch_.weighted[at].first};
  });
}

template <class Side>
bool MedianRows::Take(const Axis& axis, const Side& side) {
  const uint64_t smallest = SmallestSide(problem_);
  const uint64_t right = Visit(axis, [&](auto codes, const auto& weight) {
    child_.resize(codes.size());
    uint64_t sum = 0;
    for (size_t i = 0; i < codes.size(); ++i) {
      const uint16_t goes = side(codes[i]);
      child_[i] = goes;
      sum += goes * weight(i);
    }
    return sum;
  });
  return right >= smallest && num_rows() - right >= smallest && scratch_.admissible.BothSides(rows_, node_, child_);
}

bool MedianRows::TakeCut(const Axis& axis, Code cut) {
  return Take(axis, [&](Code code) -> uint16_t { return code >= cut ? 1 : 0; });
}

bool MedianRows::TakeSides(const Axis& axis, std::span<const uint16_t> side_of) {
  return Take(axis, [&](Code code) { return side_of[code - axis.low]; });
}

bool MedianRows::TakeRelaxed(const Axis& axis, Code middle) {
  TADA_ASSERT(weights_.empty());  // equal rows stand apart here, so that they can be dealt
  size_t below = 0;
  Visit(axis, [&](auto codes, const auto&) {
    for (const auto code : codes) below += code < middle ? 1 : 0;
  });
  size_t deal_left = num_rows() / 2 > below ? num_rows() / 2 - below : 0;
  return Take(axis, [&](Code code) -> uint16_t {
    if (code != middle) return code > middle ? 1 : 0;
    if (deal_left == 0) return 1;
    --deal_left;
    return 0;
  });
}

uint32_t MedianRows::TakeHierarchy(uint32_t column) {
  return CutAtTaxonomy(problem_, column, rows_, node_, scratch_.admissible, child_);
}

}  // namespace tada
