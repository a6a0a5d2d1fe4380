#pragma once

// How wrong count queries are on a candidate: those that `tada compare` makes up, answered from what would be released, before anything is.

#include <span>
#include <vector>

#include "compare/queries.h"
#include "recode/release.h"
#include "run/advise/ground.h"

namespace tada {

class CountErrors {
 public:
  /// Levels below which classes fall short of `min_k` are not prepared. Pre: the ground outlives this.
  CountErrors(const Ground& ground, const Plan& plan, uint64_t min_k, const Workers& workers);

  /// Mean error of a release by levels. Called by several threads at once.
  double OfLevels(const LevelVector& levels, const ReleasedLevels& shown) const;
  /// Mean error of any release in memory; `hierarchies` are those it was recoded by, empty for none.
  double OfRelease(const Release& release, const std::vector<const Hierarchy*>& hierarchies) const;

 private:
  std::vector<std::vector<double>> SharesOf(const Column& shown, size_t column, const Hierarchy* hierarchy) const;
  double MeanError(const std::vector<double>& answers) const;

  const Ground& ground_;
  std::vector<std::string> missing_;
  std::vector<CountQuery> queries_;
  std::vector<double> truth_;
  std::vector<std::vector<const CountCondition*>> of_column_;  // by quasi-identifier
  std::vector<std::vector<std::pair<size_t, size_t>>> parts_;  // by query: column, number of the condition
  // By column and level: for each condition of the column, the share of each node that meets it. Empty: not prepared.
  std::vector<std::vector<std::vector<std::vector<double>>>> shares_;
};

}  // namespace tada
