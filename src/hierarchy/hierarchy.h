#pragma once

// A generalization hierarchy of a column: coarser and coarser groupings of its values.
//   level    0 is the value itself; every level groups the one below; the top level has one node, the root.
//   node     a group of values at a level, with a label: what a released cell shows.
//   nested   values that share a node share every node above it. So the distance of two values is the number of levels
//            below the top at which they differ.
//   lines    a hierarchy before it meets a column, as files write it: value, level 1, ..., root. May list values that never
//            occur, and the same value twice.
// docs/hierarchies.md has the file formats and the builders.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/column.h"

namespace tada {

struct HierarchyLines {
  std::string source;                           ///< a path or a builder, for messages
  std::vector<std::vector<std::string>> lines;  ///< value first, root last; all equally long after AlignLines
  std::vector<uint64_t> line_numbers;           ///< in the file, one per line; empty if there is no file
};

/// Makes all lines equally long: drops empty fields at the end, and repeats the value of a short line downward, so that
/// roots stand in one field. Then checks them: one root, no empty label, a value on one path, a node below one parent.
Result<HierarchyLines> AlignLines(HierarchyLines lines);

class Hierarchy {
 public:
  uint32_t num_levels() const { return static_cast<uint32_t>(levels_.size()); }
  uint32_t top() const { return num_levels() - 1; }
  Code num_nodes(uint32_t level) const { return static_cast<Code>(levels_[level].labels.size()); }
  /// The node of each code of the column, at a level.
  std::span<const Code> nodes(uint32_t level) const { return levels_[level].node_of_code; }
  Code node(uint32_t level, Code code) const { return levels_[level].node_of_code[code]; }
  const std::string& label(uint32_t level, Code node) const { return levels_[level].labels[node]; }
  /// How many of the column's different values a node stands for.
  Code leaves(uint32_t level, Code node) const { return levels_[level].leaves[node]; }
  /// Smallest and largest code below a node; what stands between them may belong to others.
  Code low(uint32_t level, Code node) const { return levels_[level].low[node]; }
  Code high(uint32_t level, Code node) const { return levels_[level].high[node]; }
  /// Whether a node's label is the closed interval of its values, `[low,high]`, so that a cell can be one.
  bool is_interval(uint32_t level, Code node) const { return levels_[level].interval[node] != 0; }

  /// Labels that read as intervals and lacked a value below them, "20-39 lacks 40"; what covers the values replaced them.
  const std::vector<std::string>& corrected() const { return corrected_; }

  /// The smallest number of rows that share a node, for each level.
  std::vector<uint64_t> SmallestNodes(const Column& column) const;
  /// Going up, keeps a level only if its smallest node has more rows than that of the last level kept; the top stays.
  void DropIdleLevels(const Column& column);

 private:
  friend Result<Hierarchy> BindHierarchy(const HierarchyLines&, const Column&);
  struct Level {
    std::vector<Code> node_of_code;
    std::vector<std::string> labels;
    std::vector<Code> leaves, low, high;
    std::vector<uint8_t> interval;
  };
  /// Looks at every label that says something about values (table/label.h): corrects intervals, refuses others.
  Status CheckLabels(const HierarchyLines& lines, const Column& column,
                     const std::vector<std::optional<size_t>>& line_of_code);
  bool CorrectLabel(const Column& column, uint32_t level, Code node, Code lacks, bool interval);

  std::vector<Level> levels_;
  std::vector<std::string> corrected_;
};

/// Lays a hierarchy over a column. Numbers are found by value, also when the file writes decimal commas. A missing value
/// that the lines do not list is a node of its own up to the root. Every other value must be listed (kInvalidArgument).
/// A label that reads as an interval of numbers or dates and lacks a value below it (published files have such) is
/// replaced by the interval of the values, and noted; a root that lacks "missing" by `*`. One that reads as a set, a pattern
/// or a value and lacks one is refused with its line: the released cell would be false.
Result<Hierarchy> BindHierarchy(const HierarchyLines& lines, const Column& column);

}  // namespace tada
