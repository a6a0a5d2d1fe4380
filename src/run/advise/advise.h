#pragma once

// Decision support: every sensible way to recode whole columns of a table, with how anonymous it is and how useful it stays,
// so that a person can choose one (the paper on decision support; docs/algorithms/rules.md).
//   rule      a level vector found from patterns, or a join of such rules (src/rules).
//   vector    any level vector with k of at least min_k; listed with all_levels.
//   baseline  another method at the same k, for comparison.
// Rules are sought by k. Where the plan has a sensitive column or several controllers, each also says what it reaches of that; one
// that misses the l asked for is kept and marked, and neither is on the frontier nor keeps another from it.

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "plan/plan.h"
#include "rules/rule.h"
#include "run/advise/ground.h"

namespace tada {

struct AdviseOptions {
  double coverage = 5;
  uint64_t min_k = 2;
  uint64_t max_pairs = 4'000'000'000;
  size_t max_rules = 1'000'000, max_vectors = 100'000;
  bool all_levels = false;
  bool tree = true, svm = true;  ///< cross-validate the frontier with these
  bool validate_all = false;     ///< cross-validate every rule
  std::vector<std::string> baselines = {"mondrian", "datafly"};
  std::vector<int64_t> baseline_k = {5, 20, 100};
};

/// Accuracies that are expensive; kept between runs so that an interrupted one can go on.
struct Validated {
  std::optional<double> tree, svm;
};
class ValidationCache {
 public:
  Validated Get(const LevelVector& levels) const;
  void Set(const LevelVector& levels, const Validated& found);
  std::map<LevelVector, Validated> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<LevelVector, Validated> found_;
};

struct AdvisedRule : Rule, RuleReach {
  std::string id;      ///< r17, or v17 for a vector that is no rule
  std::string origin;  ///< "rule", "join" or "vector"
  std::string words;
  Validated validated;
  /// With all_levels: the most that any vector of at least the same k reaches.
  std::optional<double> best_gain, best_accuracy;
};

struct Baseline {
  std::string method;
  int64_t asked_k = 0;
  uint64_t k = 0, classes = 0;
  double accuracy = 0, information_gain = 0;
};

struct Advice {
  struct Column {
    std::string name;
    std::vector<uint32_t> nodes;                    ///< different labels at each level
    std::vector<std::vector<std::string>> samples;  ///< by level: what the sample rows show
  };
  std::vector<Column> columns;
  std::string label;  ///< "" if there is none
  std::vector<std::string> sample_labels;
  uint64_t rows = 0, pairs = 0, patterns = 0, equal_pairs = 0, sampled_rows = 0;
  uint64_t kept_patterns = 0, minimal_patterns = 0, found = 0, found_with_k = 0;
  double entropy = 0, majority = 0;
  std::optional<double> raw_tree, raw_tree_in_order;
  std::vector<AdvisedRule> rules;  ///< largest k first
  std::vector<Baseline> baselines;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Rules need a label; without one there are none. Finished validations go into `cache`, also when the work is interrupted.
Result<Advice> Advise(const Ground& ground, const Plan& plan, const AdviseOptions& options, ValidationCache& cache,
                      const Workers& workers, Progress& progress);

}  // namespace tada
