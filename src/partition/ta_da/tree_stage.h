#pragma once

// Phase 1 of TA_DA / DT-Anon for classification and regression: a decision tree over the quasi-identifiers, guided by the
// label, every node of which meets the requirement. Its leaves are the groups handed on. docs/algorithms/ta_da.md

#include <memory>

#include "base/option.h"
#include "partition/engine/splits/table_chooser.h"
#include "partition/ta_da/tree_record.h"

namespace tada {

struct TreeOptions {
  enum class Split {
    kMultiway,  ///< C4.5 Release 8, as the papers have it: one child a category, gain ratio
    kBinary,    ///< cuts and subsets into two, plain gain: far more splits are admissible
  };
  Split split = Split::kBinary;
  /// Pessimistic pruning with this confidence; 0 leaves the tree as it grew. Pruning merges leaves, so the requirement holds.
  double prune = 0;
};

/// Chooses the splits of the tree.
class TreeChooser final : public TableChooser {
 public:
  /// `record` is told of every split; null if it only decides. `counts`: as LabelViews() takes them.
  TreeChooser(const Problem& problem, const NodeRows& rows, TreeOptions options, TreeRecord* record,
              const LabelCounts& counts = {});
  std::unique_ptr<SplitScratch> MakeScratch() const override;
  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const override;
  void OnSplit(const NodeRows& rows, const Node& node, SplitScratch& scratch, std::span<Node> children) const override;
  NodeSplit Decide(std::span<const ValueTable> tables, SplitScratch& scratch) const override;
  std::span<const LabelView> labels() const override { return labels_; }

 private:
  const Problem& problem_;
  TreeOptions options_;
  TreeRecord* record_;
  std::vector<LabelView> labels_;
};

std::unique_ptr<Stage> MakeTreeStage(TreeOptions options);
std::vector<OptionSpec> TreeOptionSpecs();
Result<TreeOptions> TreeOptionsFrom(const OptionValues& values, Task task);

}  // namespace tada
