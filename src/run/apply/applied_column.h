#pragma once

// A column of a table as saved cuts see it: which values a cell covers, to which part of a split they go, and the released cells.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cuts/cuts.h"
#include "hierarchy/hierarchy.h"
#include "recode/release.h"
#include "table/column.h"

namespace tada {

/// The hierarchy of the cuts, laid over a column. `unknown` says of every code whether it is a value that the hierarchy does not
/// know; such a value has nothing above it but the root.
struct AppliedHierarchy {
  std::optional<Hierarchy> hierarchy;
  std::vector<uint8_t> unknown;
};
Result<AppliedHierarchy> ApplyHierarchy(const CutColumn& cut, const Column& column);

class AppliedColumn {
 public:
  /// Pre: all outlive this. `hierarchy` may be null.
  AppliedColumn(const CutColumn& cut, const Column& column, const Hierarchy* hierarchy,
                const std::vector<std::string>& missing);

  /// Whether a cell of the cuts covers a value.
  bool Covers(uint32_t cell, Code code) const;

  /// How a node splits the codes of the column.
  class Split {
   public:
    /// The part that a code goes to, or CutNode::kNone.
    uint32_t PartOf(const AppliedColumn& column, Code code) const;

   private:
    friend class AppliedColumn;
    bool numbers_ = false;
    uint32_t missing_ = CutNode::kNone;               // part
    std::vector<std::pair<Code, uint32_t>> from_;     // of numbers: first code and part, ascending
    std::unordered_map<uint64_t, uint32_t> by_node_;  // of a hierarchy: level and node
    std::unordered_map<Code, uint32_t> by_code_;      // of names
  };
  Split SplitOf(const CutNode& node) const;

  /// The number of a value by which means are taken; 0, the mean, for what has none.
  double Standardized(Code code) const { return standardized_[code]; }

  /// The released cells of groups that show these cells of the cuts.
  ReleasedColumn Release(ColumnId source, const std::vector<uint32_t>& cell_of_group) const;

 private:
  struct Cover {
    bool all = false, missing = false;
    Code low = 1, high = 0;      // a range of codes, empty if low is above
    std::vector<uint8_t> codes;  // by code; empty: the range says all
  };
  Cover CoverOf(const CutCell& cell) const;
  bool IsMissing(const std::string& text) const;
  bool Precedes(std::string_view a, std::string_view b) const;
  Code FirstFrom(const std::string& plain) const;   // the first code of a number that is not below
  Code FirstAbove(const std::string& plain) const;  // and the first above
  std::string PlainOf(const std::string& text) const;
  void Standardize();

  const CutColumn& cut_;
  const Column& column_;
  const Hierarchy* hierarchy_;
  const std::vector<std::string>& missing_;
  Writing writing_;
  std::vector<std::string> plain_;                 // of numbers: by code
  std::unordered_map<std::string, Code> code_of_;  // of names: by text; "" for missing
  std::vector<Cover> covers_;
  std::vector<double> standardized_;
};

}  // namespace tada
