#pragma once

// How the tree of TA_DA chooses the split of a node: among the best admissible one of each column, by gain, by gain ratio, or by what
// follows after it. docs/algorithms/ta_da.md

#include <memory>
#include <span>
#include <vector>

#include "partition/engine/splits/table_chooser.h"
#include "partition/ta_da/tree_record.h"

namespace tada {

struct TreeOptions {
  enum class Split {
    kMultiway,     ///< C4.5 Release 8, as the papers have it: one child a category, gain ratio
    kBinary,       ///< cuts and subsets into two, plain gain: far more splits are admissible
    kConditional,  ///< the same by what is gained beyond what a receiver sees anyway, over all subsets of few values
  };
  Split split = Split::kBinary;
  /// Pessimistic pruning with this confidence; 0 leaves the tree as it grew. Pruning merges leaves, so the requirement holds.
  double prune = 0;
  /// Chooses a split by its gain and that of the best splits after it: finds pairs of columns that only say something together.
  bool lookahead = false;
  /// Lets all classes of the label count the same in sum, however few rows they have.
  bool class_weights = false;
};

/// Chooses the splits of the tree.
class TreeChooser final : public TableChooser {
 public:
  /// `record` is told of every split; null if it only decides.
  TreeChooser(const Problem& problem, std::vector<LabelView> labels, TreeOptions options, TreeRecord* record);
  std::unique_ptr<SplitScratch> MakeScratch() const override;
  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const override;
  void OnSplit(const NodeRows& rows, const Node& node, SplitScratch& scratch, std::span<Node> children) const override;
  NodeSplit Decide(std::span<const ValueTable> tables, SplitScratch& scratch) const override;
  std::span<const LabelView> labels() const override { return labels_; }

 private:
  /// The best admissible split of every column, of those that gain more than `least` per row.
  void FindCandidates(std::span<const ValueTable> tables, double least, SplitScratch& scratch,
                      std::vector<LabelSplit>& candidates) const;
  /// Leaves the candidate that gains most in scratch.chosen, the first of equals; false if nothing gains.
  bool FindBest(std::span<const ValueTable> tables, SplitScratch& scratch) const;
  /// The candidate that gains most together with the best splits of its two children; null if nothing gains.
  const LabelSplit* LookAhead(const NodeRows& rows, const Node& node, SplitScratch& scratch) const;
  /// What the best split of a node gains, over all its rows.
  double BestGain(const NodeRows& rows, const Node& node, SplitScratch& scratch) const;
  NodeSplit Take(const LabelSplit* best, std::span<const ValueTable> tables, SplitScratch& scratch) const;

  const Problem& problem_;
  TreeOptions options_;
  TreeRecord* record_;
  std::vector<LabelView> labels_;
};

}  // namespace tada
