#pragma once

// What a method is given: the rows of one data controller, what its columns are for, what is required, and the means to
// work (threads, seed, progress). And the two words every method is built from:
//   stage    refines groups into smaller ones, each of which meets the requirement.
//   method   a list of stages.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/note_section.h"
#include "base/option.h"
#include "base/progress.h"
#include "base/workers.h"
#include "groups/groups.h"
#include "hierarchy/hierarchy.h"
#include "privacy/check/checker.h"
#include "table/table.h"

namespace tada {

/// How wide a quasi-identifier is over the rows of the problem: what spans inside groups are compared with.
struct Domain {
  Code low = 0, high = 0;  ///< smallest and largest code, "missing" left out; low > high if every value is missing
  Code num_values = 0;     ///< codes that occur, "missing" included
  double range = 0;        ///< number(high) - number(low) of a numeric column
  bool has_missing = false;
};

/// What stages have to tell besides their groups; collected for the report.
struct StageNotes {
  std::vector<std::string> warnings;
  std::vector<std::string> raw_warnings;  ///< the same, but they tell about the raw table: for its owner alone
  std::vector<NoteSection> sections;
  std::vector<std::pair<std::string, std::string>> about;  ///< stage by stage: its name, and Stage::About

  /// Adds the words of a stage, once if it says the same for several controllers.
  void AddAbout(std::string_view stage, std::string words);
};

/// A sentence that ends the words of stages which cut groups.
inline constexpr std::string_view kCutsThatAreNotMade =
    "a cut that would leave a group short of the requirement is not made.";

struct Problem {
  const Table& table;
  const Roles& roles;
  Task task = Task::kNone;
  std::vector<double> label_weights;  ///< one per label
  const Checker& checker;
  const OptionValues& options;  ///< of the method
  uint64_t seed = 1;
  const Workers& workers;
  Progress& progress;
  StageNotes& notes;
  std::vector<Domain> domains;  ///< one per quasi-identifier, over the controller's rows
  /// One per quasi-identifier, null for a column that has none; empty if no column has one.
  std::vector<const Hierarchy*> hierarchies = {};

  /// How much the loss of each quasi-identifier counts, the largest 1; empty: all alike (--importance).
  std::vector<double> importances = {};
  /// Above 0 in a trial run, which finds out who may be left out (--withhold): the share of the people, in percent. A stage that knows
  /// people who stand apart puts them into the masked group of its result, which need not meet the requirement: nothing of a trial
  /// is released.
  double leaving = 0;
  /// Rows of all controllers where the table does not hold them all, else 0: a method may work longer on what is small.
  uint64_t rows_of_controllers = 0;

  uint64_t rows_of_all() const { return rows_of_controllers == 0 ? table.num_rows() : rows_of_controllers; }
  double importance(size_t i) const { return importances.empty() ? 1.0 : importances[i]; }
  const Hierarchy* hierarchy(size_t i) const { return hierarchies.empty() ? nullptr : hierarchies[i]; }

  const Column& quasi(size_t i) const { return table.column(roles.quasi[i]); }
  size_t num_quasi() const { return roles.quasi.size(); }
};

/// The domains of the quasi-identifiers over `rows`.
std::vector<Domain> FindDomains(const Table& table, const Roles& roles, std::span<const RowId> rows,
                                const Workers& workers);

/// The share of its column's domain that codes low..high of quasi-identifier `i` span, in [0, 1], times its importance, as NCP counts it
/// for a numeric column; for a categorical one the distance on the axis of codes. Mixing missing with present values masks a
/// numeric cell, so it spans everything.
double NormalizedSpan(const Problem& problem, size_t i, Code low, Code high);

class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;
  /// Whether it joins groups and takes for granted that two that are good enough are good enough together.
  virtual bool MergesGroups() const { return false; }
  /// What it does with its options, in whole sentences for the report. Tells nothing about the rows.
  virtual std::string About(const Problem& problem) const = 0;
  /// Pre:  every group of `groups` satisfies problem.checker.
  /// Post: the result refines `groups`, holds every row once, and every group satisfies the checker.
  virtual Result<Groups> Refine(const Problem& problem, Groups groups) const = 0;
};

}  // namespace tada
