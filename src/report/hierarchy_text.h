#pragma once

// Hierarchies for a terminal.

#include <string>

#include "hierarchy/hierarchy.h"
#include "hierarchy/hierarchy_files.h"

namespace tada {

/// A row per level: how many labels, the rows of the rarest, and some of the labels; those of level 0 are values of the table, and
/// are shown with `show_values` only.
std::string LevelTable(const Hierarchy& hierarchy, const Column& column, bool show_values);

/// The labels that say less than the truth, a line each.
std::string FalseLabels(const Hierarchy& hierarchy);

/// The tree from the root down, each label once, with how many values are below it.
std::string HierarchyDrawing(const HierarchyLines& lines);

}  // namespace tada
