#pragma once

// Optimal Mondrian (DOP, section 4): of all cuts of all columns take the one that costs least.
//   cut    a place between two values that occur in the group: rows with codes up to it go left.
//   cost   kNcp: the loss of the two sides, which is what they would add to the release's NCP (loss_model.h).
//          kLil: the paper's local information loss, the sum of both sides' numeric spans. It does not weigh the sides by
//          their rows, so it likes slivers, and it is blind to names.
// No group is sorted: the codes that occur are listed in order by code_list.h, and for every column the extents of all
// left and all right sides come from one pass over the rows and one over the values, O(rows x columns^2) per level.
// docs/algorithms/dop.md

#include <memory>

#include "partition/engine/loss_model.h"
#include "partition/engine/method.h"
#include "partition/engine/split_engine.h"

namespace tada {

enum class SplitCost { kNcp, kLil };

class NcpChooser final : public SplitChooser {
 public:
  NcpChooser(const Problem& problem, const LossModel& loss, SplitCost cost)
      : problem_(problem), loss_(loss), cost_(cost) {}
  std::unique_ptr<SplitScratch> MakeScratch() const override;
  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const override;

 private:
  const Problem& problem_;
  const LossModel& loss_;
  SplitCost cost_;
};

/// Splits every group of `groups` but the one set aside as masked, which comes back as the last group.
Groups SplitByCost(const Problem& problem, const Groups& groups, SplitCost cost, std::string_view stage);

}  // namespace tada
