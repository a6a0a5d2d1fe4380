#include "run/bind/hierarchies.h"

#include <algorithm>

#include "base/words.h"
#include "hierarchy/hierarchy_builders.h"
#include "hierarchy/hierarchy_files.h"

namespace tada {
namespace {

Result<Hierarchy> FromText(const std::string& text, const Table& table, ColumnId id, std::optional<ColumnId> label) {
  if (IsBuilder(text)) return BuildHierarchy(text, table, id, label);
  TADA_TRY(lines, ReadHierarchyFile(text));
  return BindHierarchy(lines, table.column(id));
}

// Whether any controller's values of a column are compared by a hierarchy.
bool ByHierarchy(const Plan& plan, const std::string& column) {
  std::vector<const Requirement*> asked{&plan.requirement};
  for (const auto& [name, requirement] : plan.controller_requirements) asked.push_back(&requirement);
  return std::ranges::any_of(asked, [&](const Requirement* requirement) {
    return std::ranges::any_of(requirement->more, [&](const Demand& demand) {
      return demand.kind == "hierarchy" && (demand.column.empty() || demand.column == column);
    });
  });
}

}  // namespace

std::vector<const Hierarchy*> ColumnHierarchies::pointers() const {
  std::vector<const Hierarchy*> pointers;
  for (const auto& hierarchy : given_) pointers.push_back(hierarchy ? &*hierarchy : nullptr);
  const bool none = std::all_of(pointers.begin(), pointers.end(), [](const Hierarchy* h) { return h == nullptr; });
  if (none) pointers.clear();
  return pointers;
}

std::vector<std::string> ColumnHierarchies::Warnings(const Table& table, const Roles& roles) const {
  std::vector<std::string> warnings;
  for (size_t i = 0; i < given_.size(); ++i) {
    if (!given_[i] || given_[i]->corrected().empty()) continue;
    warnings.push_back(fmt::format(
        "The hierarchy of {} has {} that do not cover the values below them; what covers these is released instead "
        "('tada hierarchy check' lists them)",
        table.column(roles.quasi[i]).name(), Plural(given_[i]->corrected().size(), "label")));
  }
  return warnings;
}

Result<ColumnHierarchies> LoadHierarchies(const Plan& plan, const Table& table, const Roles& roles, bool all) {
  if (plan.safe > 0 && table.num_columns() > roles.quasi.size()) {
    // Builders look at other columns too: with --safe there are none but the quasi-identifiers.
    std::vector<Column> known;
    Roles alone;
    for (const ColumnId id : roles.quasi) {
      alone.quasi.push_back(static_cast<ColumnId>(known.size()));
      known.push_back(table.column(id));
    }
    return LoadHierarchies(plan, Table(std::move(known)), alone, all);
  }
  std::vector<std::optional<Hierarchy>> hierarchies(roles.quasi.size());
  std::optional<ColumnId> label;
  if (!roles.label.empty()) label = roles.label.front();
  for (size_t i = 0; i < roles.quasi.size(); ++i) {
    if (plan.quasi[i].hierarchy.empty()) continue;
    TADA_TRY(hierarchy, FromText(plan.quasi[i].hierarchy, table, roles.quasi[i], label));
    hierarchies[i] = std::move(hierarchy);
  }
  if (!plan.hierarchies.empty()) {
    TADA_TRY(found, ReadHierarchies(plan.hierarchies, table, roles.quasi));
    for (const NamedHierarchy& named : found) {
      for (size_t i = 0; i < roles.quasi.size(); ++i) {
        if (hierarchies[i] || table.column(roles.quasi[i]).name() != named.column) continue;
        TADA_TRY(hierarchy, BindHierarchy(named.lines, table.column(roles.quasi[i])));
        hierarchies[i] = std::move(hierarchy);
      }
    }
  }
  for (size_t i = 0; all && i < roles.quasi.size(); ++i) {
    if (hierarchies[i]) continue;
    TADA_TRY(hierarchy, BuildHierarchy(DefaultBuilder(table.column(roles.quasi[i])), table, roles.quasi[i], label));
    hierarchies[i] = std::move(hierarchy);
  }
  return ColumnHierarchies(std::move(hierarchies));
}

Result<std::vector<std::optional<Hierarchy>>> LoadSensitiveHierarchies(const Plan& plan, const Table& table,
                                                                       const std::vector<ColumnId>& sensitive) {
  std::vector<std::optional<Hierarchy>> hierarchies(sensitive.size());
  for (size_t i = 0; i < sensitive.size(); ++i) {
    const Column& column = table.column(sensitive[i]);
    if (!ByHierarchy(plan, column.name())) continue;
    if (!plan.sensitive[i].hierarchy.empty()) {
      TADA_TRY(hierarchy, FromText(plan.sensitive[i].hierarchy, table, sensitive[i], std::nullopt));
      hierarchies[i] = std::move(hierarchy);
    } else if (!plan.hierarchies.empty()) {
      TADA_TRY(found, ReadHierarchies(plan.hierarchies, table, {sensitive[i]}));
      for (const NamedHierarchy& named : found) {
        TADA_TRY(hierarchy, BindHierarchy(named.lines, column));
        hierarchies[i] = std::move(hierarchy);
      }
    }
  }
  return hierarchies;
}

}  // namespace tada
