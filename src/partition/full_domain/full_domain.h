#pragma once

// What the methods that recode whole columns share (datafly, optimal, levels).
//   level vector   one level of its hierarchy for each quasi-identifier; rows that then look alike are a class.
//   outlier        a row in a class that does not meet the requirement. Outliers are masked, all in one class, which must
//                  meet the requirement itself; where they are too few, the smallest classes are masked with them.

#include <optional>
#include <vector>

#include "groups/level_rows.h"
#include "partition/engine/problem.h"

namespace tada {

class FullDomain {
 public:
  /// Pre: every quasi-identifier of the problem has a hierarchy.
  FullDomain(const Problem& problem, std::vector<RowId> rows);

  const LevelRows& rows() const { return rows_; }
  const Problem& problem() const { return problem_; }

  /// For each class, whether it falls short of the requirement.
  std::vector<uint8_t> FindOutliers(const LevelClasses& classes) const;
  /// Rows of the marked classes.
  static uint64_t CountRows(const LevelClasses& classes, const std::vector<uint8_t>& marked);
  /// Marks the smallest other classes until the marked ones together meet the requirement; nothing to do if none is marked.
  /// Pre: all rows together meet it.
  void CompleteMask(const LevelClasses& classes, std::vector<uint8_t>& marked) const;

  /// The classes of a level vector as groups that know their levels, the marked ones as one masked group.
  Groups MakeGroups(const LevelVector& levels, const LevelClasses& classes, const std::vector<uint8_t>& marked) const;

 private:
  const Problem& problem_;
  std::vector<RowId> ids_;
  LevelRows rows_;
};

/// Levels that a method looked at, and what they lose.
struct LevelChoice {
  LevelVector levels;
  double loss = 0;
};

/// The levels that were taken and those that came next by loss, best first, for the report and the summary.
NoteSection DescribeLevels(const FullDomain& domain, const LevelChoice& taken, const std::vector<LevelChoice>& next,
                           std::string_view loss_name);
/// The levels that were taken, and for each column how many rows would fall short one level lower.
NoteSection DescribeLevels(const FullDomain& domain, const LevelVector& taken);

/// --suppress <percent>: the share of rows that may be masked.
OptionSpec SuppressOption();
/// The number of rows that it allows.
uint64_t RowsToSuppress(const Problem& problem, size_t rows);

/// Says so if rows could not be masked because they are too few to be a class, and everything went to the top instead.
void WarnOfMask(const Problem& problem, const FullDomain& domain, const LevelVector& levels);

/// ", with at most 5% of the people masked": what --suppress allows, for the report; "" if nothing.
std::string SuppressWords(const Problem& problem);

/// NCP of a node of a hierarchy as the report counts it (score/scorecard.h): 0 for a value, 1 for a mask.
double NodeLoss(const Column& column, const Hierarchy& hierarchy, uint32_t level, Code node);
/// The same by leaves: the share of the column's values below the node.
double NodeLeafLoss(const Column& column, const Hierarchy& hierarchy, uint32_t level, Code node);

}  // namespace tada
