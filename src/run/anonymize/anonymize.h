#pragma once

// The whole way from a table to a release, in memory. Files, and the audit of the finished file, are run/release.h.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "cuts/cuts.h"
#include "partition/engine/problem.h"
#include "plan/plan.h"
#include "recode/release.h"
#include "run/bind/controllers.h"
#include "run/bind/hierarchies.h"

namespace tada {

/// Refuses a method that joins groups if joining may break the requirement.
Status CheckMerging(const Checker& checker, const std::vector<std::unique_ptr<Stage>>& stages,
                    const std::string& method);

struct Anonymized {
  Groups groups;
  Release release;
  BoundPlan bound;
  std::vector<Controller> controllers;
  ColumnHierarchies hierarchies;  ///< one per quasi-identifier
  std::vector<std::string> stages;
  StageNotes notes;
  std::vector<std::pair<std::string, double>> seconds;  ///< by stage
  std::vector<RowId> withheld;  ///< rows that are left out (--withhold), ascending; in no group and no position
  /// If some are: the code of the table of every code that the hierarchies have, by quasi-identifier.
  std::vector<std::vector<Code>> hierarchy_codes;
  /// The weakest requirement over the controllers: what the union of their releases meets.
  Requirement requirement;
  bool by_saved_cuts = false;  ///< any number of rows may be withheld: those that the cuts do not cover, or too few
  std::shared_ptr<Cuts> cuts = {};                     ///< if they were to be saved
  std::shared_ptr<const FrozenValues> reference = {};  ///< what classes are compared with, if not with the release
};

/// Releases everybody, whatever plan.withhold says. `leaving`: a trial, as Problem::leaving; its groups are not checked for --safe.
/// Pre: the table outlives the result.
Result<Anonymized> AnonymizeEverybody(const Table& table, const Plan& plan, double leaving, const Workers& workers,
                                      Progress& progress, bool save_cuts = false);

/// The same, without those whom plan.withhold lets leave (run/anonymize/withhold.cc). With `save_cuts` the cuts are in the result; kInvalidArgument if the method has none. Pre: the table outlives the result.
Result<Anonymized> Anonymize(const Table& table, const Plan& plan, const Workers& workers, Progress& progress,
                             bool save_cuts = false);

}  // namespace tada
