#pragma once

// hierarchy build, check, show: makes and verifies generalization hierarchies.

#include <optional>

#include "commands/context/context.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/hierarchy_files.h"
#include "plan/plan.h"

namespace tada {

struct HierarchyRequest {
  Plan plan;               ///< how the table is read; its only quasi-identifier, if any, is the column
  bool of_column = false;  ///< a column is named
  std::string builder;     ///< "": the one that fits the column
};
/// The options that the command takes.
OptionSpecs HierarchyCommandOptions();

/// --column names the column, typed as the option says; without one all columns are meant.
Result<HierarchyRequest> HierarchyRequestFrom(const PlanFile& file, const OptionValues& options);

struct BuiltHierarchy {
  TableFile file;
  ColumnId column = 0;
  std::string builder;
  Hierarchy hierarchy;
};
Result<BuiltHierarchy> BuildHierarchy(const HierarchyRequest& request, Source& table, Context& context);

/// A hierarchy that covers its column.
struct CheckedHierarchy {
  ColumnId column = 0;
  Hierarchy hierarchy;
};
struct CheckedHierarchies {
  TableFile file;
  std::vector<CheckedHierarchy> hierarchies;
  bool is_single = false;  ///< the file holds the hierarchy of one column, which it does not name
};
/// All hierarchies of a folder, or of a file with a section per column, or that of the request's column, against the table. A file
/// without sections holds that of the column.
Result<CheckedHierarchies> CheckHierarchies(const HierarchyRequest& request, const std::string& path, Source& table,
                                            Context& context);

/// The hierarchy of a file: of the section `column`, or the only one there is.
Result<HierarchyLines> FindHierarchy(const std::string& path, const std::optional<std::string>& column);

}  // namespace tada
