#pragma once

// How target_weighted chooses a split (docs/algorithms/target_weighted.md).
//   cost       of a group: lambda * its spread of p / that of all rows + (1 - lambda) * its weighted width / that of all rows.
//   spread     sum over its rows of the squared distance of p from the group's mean.
//   width      rows * sum over the columns of weight * the share of the column's domain that the group spans (NCP).
//   candidate  the values of a column in some order, cut before or behind the one that holds the median row.

#include <unordered_map>

#include "partition/mondrian/mondrian.h"
#include "partition/target_weighted/target_teacher.h"

namespace tada {

class TargetSplit final : public SplitChooser {
 public:
  /// `teacher` answers for `rows`, the rows of the problem.
  TargetSplit(const Problem& problem, const Teacher& teacher, std::span<const RowId> rows, double lambda);

  std::unique_ptr<SplitScratch> MakeScratch() const override;
  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const override;
  /// Measures the costs of all rows, which those of groups are compared with. To be called before the first Choose.
  void MeasureRoot(const NodeRows& rows, const Groups& groups);

 private:
  struct Scratch;
  struct Candidate;
  struct Sides;

  void Gather(const NodeRows& rows, const Node& node, Scratch& scratch) const;
  void CountValues(const NodeRows& rows, const Node& node, uint32_t column, Scratch& scratch) const;
  void AddCandidates(uint32_t column, Scratch& scratch) const;
  void AddCuts(uint32_t column, Scratch& scratch) const;
  void AssignSides(const NodeRows& rows, const Node& node, const Candidate& candidate, Scratch& scratch) const;
  /// How much the cost falls if the node is split as scratch.child says.
  double Decrease(const NodeRows& rows, const Node& node, uint64_t left_rows, Scratch& scratch) const;
  /// Rows * weighted width of both sides; with no side given, of the whole node.
  double Width(const NodeRows& rows, const Node& node, std::span<const uint16_t> child, uint64_t left_rows,
               Scratch& scratch) const;
  double Span(uint32_t column, Code low, Code high, uint32_t num_values) const;

  const Problem& problem_;
  const Teacher& teacher_;
  MedianChooser median_;
  double lambda_;
  double root_spread_ = 0, root_width_ = 0;
  std::vector<uint32_t> place_of_row_;  // in the teacher's answers
};

}  // namespace tada
