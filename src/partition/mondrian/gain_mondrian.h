#pragma once

// Mondrian for a label (LeFevre, DeWitt, Ramakrishnan 2006, "Workload-aware anonymization"): of all splits that meet the
// requirement the one after which the labels are least mixed.
//   infogain     least weighted entropy of a class.        regression   least squared deviation of a number.
// Several labels count together, each relative to how mixed it is over all rows, by the user's weights. Where no split
// makes any label less mixed, the median decides as in plain Mondrian, so that groups still get as small as they may.
// docs/algorithms/infogain.md, docs/algorithms/regression.md

#include <memory>

#include "partition/engine/method.h"
#include "partition/engine/splits/value_table.h"
#include "partition/mondrian/mondrian.h"

namespace tada {

struct GainOptions {
  /// Looks at a cut only where the class changes, and where none of these is admissible at the column's median, as the
  /// paper does. Such cuts are the best ones without a requirement, but not always with one.
  bool boundary_only = false;
  MondrianOptions median;  ///< of the splits that labels do not decide
};

/// Chooses the split of largest gain, else the median's.
class GainChooser final : public SplitChooser {
 public:
  GainChooser(const Problem& problem, const NodeRows& rows, GainOptions options);
  std::unique_ptr<SplitScratch> MakeScratch() const override;
  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const override;
  void OnSplit(const NodeRows& rows, const Node& node, SplitScratch& scratch, std::span<Node> children) const override;

 private:
  const Problem& problem_;
  GainOptions options_;
  std::vector<LabelView> labels_;
  MedianChooser median_;
};

MethodEntry InfoGainMethod();
MethodEntry RegressionMethod();

}  // namespace tada
