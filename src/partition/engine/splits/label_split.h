#pragma once

// Searches the splits of a node for the one that tells most about the labels, among those that meet the requirement. The
// decision tree and the workload-aware Mondrian share it and differ in which candidates they ask for.
//   cut        along the order of a column: the smaller values go left.
//   subset     of a categorical column: a set of values goes left. Looked for among prefixes of the values in an order in
//              which the labels change steadily, and single values against the rest (docs/algorithms/ta_da.md).
//   multiway   one child per value (C4.5).

#include <optional>
#include <vector>

#include "partition/engine/splits/node_split.h"
#include "partition/engine/splits/split_sides.h"
#include "partition/engine/splits/split_window.h"
#include "partition/engine/splits/value_table.h"

namespace tada {

inline constexpr double kLeastLabelGain = 1e-9;  ///< below this a gain is rounding; C4.5 drops what gains no more

struct LabelSplit {
  uint32_t column = 0;
  double gain = 0;        ///< decrease of Impurity(), divided by the rows of the node: bits per row for one class label
  double split_info = 0;  ///< entropy of the children's sizes, in bits
  Code cut = 0;           ///< of a cut: codes below it go left; it is the smallest code on the right
  Code below = 0;         ///< of a cut: the largest code on the left
  std::vector<Code> left;  ///< of a subset: the codes that go left, ascending
  bool multiway = false;
  uint32_t num_values = 0;  ///< different values of the column in the node
};

/// One search for one thread.
class LabelSplitSearch {
 public:
  LabelSplitSearch(const Problem& problem, std::span<const LabelView> labels);

  /// The admissible cut of the column with the largest gain; ties to the lowest. `boundary_only` looks only where the
  /// (first, class) label changes.
  std::optional<LabelSplit> BestCut(const ValueTable& table, uint32_t column, bool boundary_only = false);
  /// The cut at the median of the column, if it is admissible: `< median` first, then `<= median`.
  std::optional<LabelSplit> MedianCut(const ValueTable& table, uint32_t column);
  /// The admissible subset with the largest gain above `least`. `thorough` looks at all subsets of up to nine values, and of more
  /// values also at the prefixes in the order of each class's share.
  std::optional<LabelSplit> BestSubset(const ValueTable& table, uint32_t column, bool thorough = false,
                                       double least = kLeastLabelGain);
  /// The split into all values of the column, if every child is admissible.
  std::optional<LabelSplit> Multiway(const ValueTable& table, uint32_t column);

 private:
  /// The values of a table in their order, for sweeps.
  std::span<const uint32_t> ByValue(const ValueTable& table);
  /// The same in an order in which the label changes steadily.
  std::span<const uint32_t> ByLabel(const ValueTable& table);
  /// The same in the order of the share that a class of the first label has.
  std::span<const uint32_t> ByShare(const ValueTable& table, Code of_class);
  /// Sorts the values by key_.
  std::span<const uint32_t> ByKey(const ValueTable& table);
  /// Sweeps over the values in `order`, offering each prefix. Pre: the sides were started with the table.
  void SweepPrefixes(const ValueTable& table, std::span<const uint32_t> order, LabelSplit& best);
  /// Offers each value against the rest. Pre: as above.
  void SweepSingles(const ValueTable& table, LabelSplit& best);
  template <bool in_table>
  void SweepSinglesOfTwo(const ValueTable& table, const SplitSides::TwoClasses& two, LabelSplit& best);
  /// Calls offer(i, rows on the left, impurity) with the values up to the i-th of `order` on the left, for every length of a window
  /// for which wanted(i). Pre: all values are on the right.
  template <class Wanted, class Offer>
  void ForPrefixes(const ValueTable& table, std::span<const uint32_t> order, SplitWindow::Lengths lengths,
                   const Wanted& wanted, const Offer& offer);
  template <bool in_table, class Wanted, class Offer>
  void ForPrefixesOfTwo(const ValueTable& table, std::span<const uint32_t> order, SplitWindow::Lengths lengths,
                        const SplitSides::TwoClasses& two, const Wanted& wanted, const Offer& offer);
  /// Offers every subset. Pre: there are few values.
  void SweepSubsets(const ValueTable& table, LabelSplit& best);
  double SplitInfo(uint64_t left, uint64_t right) const;

  const Problem& problem_;
  std::span<const LabelView> labels_;
  SplitSides sides_;
  SplitWindow window_;
  Tally tally_;
  std::vector<uint32_t> by_value_, by_label_;
  std::vector<double> key_;
};

/// Where the values of the column go.
NodeSplit ByValues(const LabelSplit& split, const ValueTable& table);

/// Writes which child each position of the node goes to; returns the number of children.
uint32_t AssignChildren(const NodeRows& rows, const Node& node, const NodeSplit& split, std::vector<uint16_t>& child);

}  // namespace tada
