#pragma once

// Hierarchies in files. Three formats, told apart by what is in them:
//   ARX CSV   a line per value: `value;level 1;...;*`, separated by ; or , or tab or #; fields may be "quoted".
//   Tax file  several columns in one file: a line `%`, the column's name, then lines as above (the files of the paper on
//             decision support write # or ,). Its first section is the label, which is never generalized.
//   TOML      a tree: labels are keys, the innermost ones hold lists of values.
// docs/hierarchies.md has an example of each.

#include <string>
#include <utility>
#include <vector>

#include "hierarchy/hierarchy.h"
#include "table/table.h"

namespace tada {

/// Reads a file of one column (ARX CSV or TOML). The lines come aligned and checked.
Result<HierarchyLines> ReadHierarchyFile(const std::string& path);
/// The same from a text; `path` is what errors call it.
Result<HierarchyLines> ParseHierarchy(std::string_view text, const std::string& path);

/// A section of a Tax file: the name it gives its column, and the lines, aligned and checked.
struct TaxSection {
  std::string name;
  HierarchyLines lines;
};
bool IsTaxFile(std::string_view text);
Result<std::vector<TaxSection>> ParseTaxFile(std::string_view text, const std::string& path);
/// The sections of any file; that of a file of one column has no name.
Result<std::vector<TaxSection>> ReadSections(const std::string& path);

/// The section of that name, capitals and punctuation aside; else the one with the nearest name, if one is near.
std::optional<size_t> FindSection(const std::vector<TaxSection>& sections, std::string_view name);

/// For each section the column it means: the one of that name, capitals and punctuation aside; else the one with the
/// nearest name that no other section has. Nothing for a section that no column is near to.
std::vector<std::optional<ColumnId>> MatchSections(const std::vector<TaxSection>& sections, const Table& table);

/// Hierarchies of a folder (NAME.csv, NAME.txt, NAME.toml, or ANYTHING_hierarchy_NAME.csv) or of a Tax file, for those of
/// `names` that have one.
struct NamedHierarchy {
  std::string column;
  HierarchyLines lines;
};
Result<std::vector<NamedHierarchy>> ReadHierarchies(const std::string& path, const Table& table,
                                                    const std::vector<ColumnId>& columns);

/// The lines of a hierarchy as ARX CSV.
std::string HierarchyCsv(const HierarchyLines& lines);
/// A bound hierarchy as lines again, one per value of the column.
HierarchyLines LinesOf(const Hierarchy& hierarchy, const Column& column);

}  // namespace tada
