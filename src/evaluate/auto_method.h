#pragma once

// Chooses a method by trying: a portfolio of methods releases training rows, and models that learn from each release, from its cells or
// decoded, are tested on raw rows that were left out (protocol raw-test, three seeded splits, tree and logistic regression). The method with the best mean of
// the main metric is taken, of equally good ones that of least information loss, so that no other is better in both. Methods that a split
// leaves far behind get no other. Without a task it is least loss alone.
// The choice looked at the data, and the report says so. Tables of more than 20,000 rows are tried on a seeded sample of them.

#include <string>
#include <vector>

#include "evaluate/evaluate.h"
#include "run/anonymize/anonymize.h"

namespace tada {

struct AutoTrial {
  std::string method;    ///< as ParseGridMethod takes it
  std::string reading;   ///< of the release, by the models: "cells", or "decoded" as `tada decode` does
  bool tried = false;    ///< false: --auto-trials left it out
  bool stopped = false;  ///< too far behind: it got no more splits
  bool chosen = false;
  std::string problem;           ///< why it has no result
  double utility = 0;            ///< mean over the splits it had and learners; NaN without a task
  std::vector<double> by_split;  ///< the same of each split
  double ahead = 0;              ///< of the first method, mean over the splits that this one had
  double ncp = 0, seconds = 0;
};

struct AutoChoice {
  Plan plan;  ///< with the chosen method in place of `auto`
  std::vector<AutoTrial> trials;
  std::vector<size_t>
      ranked;  ///< their numbers, the best first; those that failed or were not finished at the end, as they were tried
  NoteSection section;      ///< the comparison, for the report
  Task task = Task::kNone;  ///< what it was judged by
  size_t rows = 0;          ///< tried
};

/// The numbers of the trials, the best first; those that failed or were not finished at the end.
std::vector<size_t> Ranked(const std::vector<AutoTrial>& trials, bool by_utility);
/// Makes this trial the choice.
void Take(const Plan& plan, size_t taken, AutoChoice& choice);

/// Pre: plan.method is "auto".
Result<AutoChoice> ChooseMethod(const Table& table, const Plan& plan, const Workers& workers, Progress& progress);

/// Anonymize(), after `auto` has been replaced in the plan by what was chosen; the comparison is among the notes. Where all rows cannot meet the
/// requirement by the method that is best, the next one is taken: it fails only if all of them do.
Result<Anonymized> AnonymizeOrChoose(const Table& table, Plan& plan, const Workers& workers, Progress& progress,
                                     bool save_cuts = false);

}  // namespace tada
