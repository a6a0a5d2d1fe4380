#pragma once

// Hierarchies that are built: by a rule, which holds on every table (hierarchy/rule_builders.h), or from the data. The latter are written as
// a name and, for some, a number:
//   count:5      numbers: five consecutive values per node, then nodes in pairs
//   round        numbers: intervals of 1, 10, 100, ... from the finest that groups anything
//   prefix       codes such as zip: masks one character after the other from the right
//   means        names: recursive 2-means over what else the table says about a value
//   flat         any value, then *
// Levels of numbers that add nothing are dropped. docs/hierarchies.md shows each.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hierarchy/hierarchy.h"
#include "table/table.h"

namespace tada {

/// Whether `text` names a builder, with or without a number.
bool IsBuilder(std::string_view text);
/// The builder for a column that has no hierarchy: count:5 for numbers, dates for dates, means for names.
std::string_view DefaultBuilder(const Column& column);

/// Builds the hierarchy of a column. `label`, if given, is among the things that `means` compares values by.
Result<Hierarchy> BuildHierarchy(std::string_view builder, const Table& table, ColumnId column,
                                 std::optional<ColumnId> label = std::nullopt);

/// Clusters the values of a column by 2-means, again and again: for each value its side at each depth, first depth first;
/// a value that stands alone has no further sides.
std::vector<std::string> TwoMeansPaths(const Table& table, ColumnId column, std::optional<ColumnId> label);

}  // namespace tada
