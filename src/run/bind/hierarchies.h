#pragma once

// The hierarchies a plan asks for, laid over the columns of a table.

#include <optional>
#include <vector>

#include "hierarchy/hierarchy.h"
#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// One per quasi-identifier, in the order of the roles.
class ColumnHierarchies {
 public:
  ColumnHierarchies() = default;
  explicit ColumnHierarchies(std::vector<std::optional<Hierarchy>> given) : given_(std::move(given)) {}
  /// Null for a column without one; empty if no column has one. Valid as long as this lives.
  std::vector<const Hierarchy*> pointers() const;
  const std::optional<Hierarchy>& of(size_t i) const { return given_[i]; }
  size_t size() const { return given_.size(); }
  /// What should be known of them: labels that were false and had to be corrected.
  std::vector<std::string> Warnings(const Table& table, const Roles& roles) const;

 private:
  std::vector<std::optional<Hierarchy>> given_;
};

/// Reads and builds them: a column's own (--hierarchy) before that of the folder (--hierarchies). `all`: a column that has
/// neither gets one from the data (hierarchy/hierarchy_builders.h says which).
Result<ColumnHierarchies> LoadHierarchies(const Plan& plan, const Table& table, const Roles& roles, bool all);

/// Those of the sensitive columns that the requirement compares by a hierarchy, in the order of the roles; nothing for the others.
Result<std::vector<std::optional<Hierarchy>>> LoadSensitiveHierarchies(const Plan& plan, const Table& table,
                                                                       const std::vector<ColumnId>& sensitive);

}  // namespace tada
