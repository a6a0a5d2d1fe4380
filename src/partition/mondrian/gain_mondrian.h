#pragma once

// Mondrian for a label (LeFevre, DeWitt, Ramakrishnan 2006, "Workload-aware anonymization"): of all splits that meet the
// requirement the one after which the labels are least mixed.
//   infogain     least weighted entropy of a class.        regression   least squared deviation of a number.
// Several labels count together, each relative to how mixed it is over all rows, by the user's weights. Where no split
// makes any label less mixed, the median decides as in plain Mondrian, so that groups still get as small as they may.
// docs/algorithms/infogain.md, docs/algorithms/regression.md

#include <memory>

#include "partition/engine/method.h"
#include "partition/mondrian/mondrian.h"

namespace tada {

struct GainOptions {
  /// Looks at a cut only where the class changes, and where none of these is admissible at the column's median, as the
  /// paper does. Such cuts are the best ones without a requirement, but not always with one.
  bool boundary_only = false;
  MondrianOptions median;  ///< of the splits that labels do not decide
};

/// Chooses the split of largest gain, else the median's.
class GainChooser final : public TableChooser {
 public:
  /// `counts`: of the labels over all rows of the controller, where `rows` are only some (value_table.h).
  GainChooser(const Problem& problem, const NodeRows& rows, GainOptions options, const LabelCounts& counts = {});
  std::unique_ptr<SplitScratch> MakeScratch() const override;
  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const override;
  void OnSplit(const NodeRows& rows, const Node& node, SplitScratch& scratch, std::span<Node> children) const override;
  NodeSplit Decide(std::span<const ValueTable> tables, SplitScratch& scratch) const override;
  std::span<const LabelView> labels() const override { return labels_; }

 private:
  /// No children if no split tells anything about the labels.
  NodeSplit BestByLabels(std::span<const ValueTable> tables, SplitScratch& scratch) const;

  const Problem& problem_;
  GainOptions options_;
  std::vector<LabelView> labels_;
  MedianChooser median_;
};

MethodEntry InfoGainMethod();
MethodEntry RegressionMethod();

}  // namespace tada
