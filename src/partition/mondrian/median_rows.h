#pragma once

// Mondrian's questions, answered by the rows of a node.

#include <vector>

#include "partition/engine/splits/admissible.h"
#include "partition/mondrian/median_view.h"

namespace tada {

/// The memory that the answers are found in; kept between nodes.
struct MedianRowsScratch {
  explicit MedianRowsScratch(const Problem& problem) : admissible(problem) {}

  Admissible admissible;
  std::vector<uint32_t> counts;  // by code - low
  std::vector<Code> codes;       // a copy to select the median from
  std::vector<std::pair<Code, uint32_t>> weighted;
};

class MedianRows final : public MedianView {
 public:
  /// A cut that is taken fills `child`.
  MedianRows(const Problem& problem, const NodeRows& rows, const Node& node, MedianRowsScratch& scratch,
             std::vector<uint16_t>& child);

  Axis FindAxis(uint32_t column) override;
  double SpanByHierarchy(uint32_t column) override;
  Middle FindMiddle(const Axis& axis) override;
  std::span<const uint32_t> CountCodes(const Axis& axis) override;
  bool TakeCut(const Axis& axis, Code cut) override;
  bool TakeRelaxed(const Axis& axis, Code middle) override;
  bool TakeSides(const Axis& axis, std::span<const uint16_t> side_of) override;
  uint32_t TakeHierarchy(uint32_t column) override;

 private:
  /// Calls f(codes, weight) where weight(i) is how many rows position i stands for.
  template <class F>
  decltype(auto) Visit(const Axis& axis, const F& f) const;
  /// Fills child with side(code) and takes the cut if it may.
  template <class Side>
  bool Take(const Axis& axis, const Side& side);

  const Problem& problem_;
  const NodeRows& rows_;
  const Node& node_;
  MedianRowsScratch& scratch_;
  std::vector<uint16_t>& child_;
  std::span<const uint32_t> weights_;
};

}  // namespace tada
