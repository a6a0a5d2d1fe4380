#pragma once

// What all advice stands on: the columns of a plan, their hierarchies, rows seen through them, the label, and the requirement.

#include <memory>
#include <optional>

#include "rules/scorer.h"
#include "run/advise/rule_reach.h"
#include "run/bind/hierarchies.h"

namespace tada {

class Ground {
 public:
  /// Pre: the table outlives this. kInvalidArgument for a label of too many values; kInfeasible for fewer rows than `min_k`.
  static Result<std::unique_ptr<const Ground>> Make(const Table& table, const Plan& plan, uint64_t min_k);

  const Table& table() const { return table_; }
  const Roles& roles() const { return bound_.roles; }
  const BoundPlan& bound() const { return bound_; }
  /// One per quasi-identifier.
  const std::vector<const Hierarchy*>& hierarchies() const { return hierarchies_; }
  const LevelRows& rows() const { return *rows_; }
  /// Null if no column is to be predicted.
  const Column* label() const { return label_; }
  /// All alike if there is no label.
  const LabelRows& labels() const { return labels_; }
  const RuleScorer& scorer() const { return *scorer_; }
  const Reach& reach() const { return *reach_; }

  /// "age at level 3 of 5, such as [15-35]; sex as it is": what a vector shows.
  std::string Words(const LevelVector& levels) const;

 private:
  explicit Ground(const Table& table) : table_(table) {}

  const Table& table_;
  BoundPlan bound_;
  ColumnHierarchies loaded_;
  std::vector<const Hierarchy*> hierarchies_;
  const Column* label_ = nullptr;
  LabelRows labels_;
  std::unique_ptr<const LevelRows> rows_;
  std::unique_ptr<const RuleScorer> scorer_;
  std::optional<Reach> reach_;
};

}  // namespace tada
