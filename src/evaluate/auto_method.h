#pragma once

// Chooses a method by trying: a portfolio of methods releases training rows, and models that learn from each release are tested on
// raw rows that were left out (protocol raw-test, three seeded splits, tree and logistic regression). The method with the best mean of
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
  bool tried = false;    ///< false: the time was over
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
  NoteSection section;  ///< the comparison, for the report
};

/// The number of the trial to take; of one that failed or was not finished if there is no other. Pre: there is a trial.
size_t BestTrial(const std::vector<AutoTrial>& trials, bool by_utility);

/// Pre: plan.method is "auto".
Result<AutoChoice> ChooseMethod(const Table& table, const Plan& plan, const Workers& workers, Progress& progress);

/// Anonymize(), after `auto` has been replaced in the plan by what was chosen; the comparison is among the notes.
Result<Anonymized> AnonymizeOrChoose(const Table& table, Plan& plan, const Workers& workers, Progress& progress,
                                     bool save_cuts = false);

}  // namespace tada
