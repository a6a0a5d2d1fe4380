#pragma once

// The recursion that Mondrian, its workload-aware forms and decision trees share. They differ only in how a split is
// chosen.
//   node      a group that may still be split.     chooser   picks the split of a node, or none: then the node is final.
//   child     which part of the split a position goes to.
// Large nodes are handed to the workers; small ones are finished on the spot with a stack of our own, so that neither the
// threads nor a skewed table (a node per row) can change the result or overflow anything.

#include <memory>
#include <span>
#include <vector>

#include "groups/working_rows.h"
#include "partition/engine/problem.h"

namespace tada {

/// The working columns of a problem: quasi-identifiers first, then sensitive columns (as the checker numbers their values),
/// then labels (as values).
struct NodeRows {
  /// `order`: of the groups.
  NodeRows(const Problem& problem, std::vector<RowId> order);
  NodeRows(const Problem& problem, const Groups& groups) : NodeRows(problem, groups.order()) {}
  /// A copy of the positions of a node, on its own.
  NodeRows Slice(uint32_t begin, uint32_t end) const { return {rows.Slice(begin, end), first_sensitive, first_label}; }

  WorkingRows rows;
  uint32_t first_sensitive = 0, first_label = 0;

 private:
  NodeRows(WorkingRows sliced, uint32_t sensitive, uint32_t label)
      : rows(std::move(sliced)), first_sensitive(sensitive), first_label(label) {}
};

struct Node {
  uint32_t begin = 0, end = 0;
  uint32_t depth = 0;
  uint32_t id = 0;  ///< the input group's number at first; choosers that remember nodes may number the children
  std::shared_ptr<const void> memory;   ///< what a chooser wants to know again when it comes to this node
  std::shared_ptr<const Box> box = {};  ///< null where boxes are not followed
  uint32_t size() const { return end - begin; }
};

/// The memory a chooser works in; one per thread.
class SplitScratch {
 public:
  virtual ~SplitScratch() = default;
  std::vector<uint16_t> child;  ///< of each position of the node, once a split is chosen
  uint32_t column = 0;          ///< of the quasi-identifiers, whose values decided it
};

class SplitChooser {
 public:
  virtual ~SplitChooser() = default;
  virtual std::unique_ptr<SplitScratch> MakeScratch() const { return std::make_unique<SplitScratch>(); }
  /// Chooses how to split a node: fills scratch.child and returns the number of children, 0 for none.
  /// Post: each child has at least one position and satisfies the checker. Called for different nodes at the same time.
  virtual uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const = 0;
  /// Tells that a node was split as Choose said, with the same scratch. May set the children's ids and memories.
  virtual void OnSplit(const NodeRows& /*rows*/, const Node& /*node*/, SplitScratch& /*scratch*/,
                       std::span<Node> /*children*/) const {}
};

/// Splits every group as long as the chooser finds a split. `stage` names the work for the progress bar.
Groups SplitAll(const Problem& problem, const Groups& groups, const SplitChooser& chooser, std::string_view stage);
/// The same with rows that the caller has laid out already (for the chooser to look at first, or since nobody needs the order of the groups
/// any more: it is not looked at).
Groups SplitAll(const Problem& problem, const Groups& groups, const SplitChooser& chooser, std::string_view stage,
                NodeRows rows);

}  // namespace tada
