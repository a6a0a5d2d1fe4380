#pragma once

// What the demo shows in a terminal: people before and after, what was reached, what it cost. Plain text, and colours if
// somebody looks.

#include <string>
#include <vector>

#include "run/audit/outcome.h"
#include "table/table.h"

namespace tada {

/// One person, and the released group that covers them.
struct BeforeAfter {
  std::string person;                               ///< the id
  std::vector<std::string> columns, before, after;  ///< one per released column
  uint64_t group_size = 0;
};

/// Finds, for the first `count` people of `original` without a missing cell, released rows that stand for them: the rows are
/// shuffled, so any row whose cells cover the person's values, and which has their unchanged values, may be theirs.
/// Pre: both tables have the plan's columns; `released` was read as text.
std::vector<BeforeAfter> FindExamples(const Table& original, const Table& released, const Plan& plan, size_t count);

class DemoView {
 public:
  explicit DemoView(bool colours) : colours_(colours) {}

  std::string Heading(const std::string& text) const;
  /// People side by side, a line per column.
  std::string Examples(const std::vector<BeforeAfter>& examples) const;
  /// Verdict, k, l, groups and risk.
  std::string Reached(const Outcome& outcome) const;
  /// A bar per quasi-identifier.
  std::string Cost(const Outcome& outcome) const;
  /// A line to type.
  std::string CommandLine(const std::string& text) const;

 private:
  std::string Paint(const char* code, const std::string& text) const;

  bool colours_;
};

}  // namespace tada
