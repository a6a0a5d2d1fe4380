#pragma once

// Stages whose decisions follow from the value tables of a node, so that the rows may be spread over machines while they
// decide: each machine counts its rows, counts add up exactly, and whoever has the sums decides as if it had the rows.

#include <memory>
#include <span>

#include "partition/engine/split_engine.h"
#include "partition/engine/splits/node_split.h"
#include "partition/engine/splits/value_table.h"

namespace tada {

class TableChooser : public SplitChooser {
 public:
  /// The labels that the tables have to spread.
  virtual std::span<const LabelView> labels() const { return {}; }
  /// The split that Choose() would find for rows with these tables, one per quasi-identifier.
  virtual NodeSplit Decide(std::span<const ValueTable> tables, SplitScratch& scratch) const = 0;
};

/// What a stage that sees a part of a controller's rows is told of all of them.
struct WholeCounts {
  uint64_t rows = 0;
  LabelCounts labels;
};

/// A stage that only splits, and may be given a part of a controller's rows.
class SpreadStage : public Stage {
 public:
  /// Null if it has to see rows after all, by its options or the requirement.
  virtual std::unique_ptr<const TableChooser> SpreadChooser(const Problem& problem, const WholeCounts& whole) const = 0;
  /// Refine() for a part of the rows. Pre: SpreadChooser() is not null.
  virtual Result<Groups> RefinePart(const Problem& problem, Groups groups, const WholeCounts& whole) const = 0;
};

}  // namespace tada
