#pragma once

// What a model can still learn from a release: every method at every k and l, over several seeds, judged by models.
//   protocol   raw-test: split the rows, release the training rows, test on the raw rows that were left out. released-test: release
//              all rows, then split, so that the test rows are widened too. Numbers of one never stand beside numbers of the other.
//   unit       one release of the grid: a method, a k, an l and a seed. `raw` is the table itself: one unit per seed.
//   row        one line of the results: a unit judged by one learner.
//   paired     all methods of a seed see the same split, so they are compared seed by seed.
// For clustering there is no split: the clusters of the raw rows are compared with those of the released rows.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/progress.h"
#include "evaluate/external.h"
#include "learn/learners.h"
#include "plan/plan.h"

namespace tada {

/// A method of the grid as it is written: `raw`, `mondrian`, `ta_da:split=binary`.
struct GridMethod {
  std::string text;
  std::string name;
  OptionValues options;
  std::optional<size_t> external = {};  ///< one of EvaluateOptions::externals, which has this name
};
Result<GridMethod> ParseGridMethod(std::string_view text);

enum class Protocol { kRawTest, kReleasedTest };
std::string_view ProtocolName(Protocol protocol);

struct EvaluateOptions {
  std::vector<GridMethod> methods;
  std::vector<ExternalMethod> externals;  ///< methods that are not ours
  OutsideLearner outside;                 ///< who learns for Learner::kMlp and kBoosting; empty: nobody
  std::string planned;  ///< options that a plan gives to methods, which their texts do not show: part of the run's name
  std::vector<int64_t> k = {5}, l = {1};
  uint32_t seeds = 10;  ///< from the plan's seed on
  Protocol protocol = Protocol::kRawTest;
  std::vector<Learner> learners = {Learner::kTree, Learner::kLogistic};
  Encoding encoding = Encoding::kDirect;
  double test_share = 0.2;
  uint32_t clusters = 5;                ///< of a clustering
  uint64_t memory = uint64_t{4} << 30;  ///< bytes that units running at the same time may take, as estimated
};

enum class Metric { kAccuracy, kF1Macro, kBalancedAccuracy, kLogLoss, kAuc, kR2, kRmse, kAri, kNmi };
inline constexpr size_t kNumMetrics = 9;
std::string_view MetricName(Metric metric);
/// The least and the largest value that it can have.
std::pair<double, double> MetricRange(Metric metric);
/// What a task is judged by first.
Metric MainMetric(Task task);

struct EvaluateRow {
  std::string method;
  int64_t k = 0, l = 0;  ///< 0 of raw
  uint64_t seed = 0;
  std::string learner;
  std::string problem;                        ///< why there is no result, "" if there is one
  std::array<double, kNumMetrics> metrics{};  ///< NaN: not of this task or learner
  double ncp = 0, discernibility = 0;
  uint64_t reached_k = 0, reached_l = 0, groups = 0;
  double release_seconds = 0, learn_seconds = 0;

  double metric(Metric which) const { return metrics[static_cast<size_t>(which)]; }
};

struct GridUnit {
  size_t method = 0;
  int64_t k = 0, l = 0;
  uint64_t seed = 0;
};

/// The units of a grid, in the order in which results are kept.
std::vector<GridUnit> GridUnits(const Plan& plan, const EvaluateOptions& options);

/// Checks methods, learners and task against the table, before anything runs.
Status CheckGrid(const Table& table, const Plan& plan, const EvaluateOptions& options);

class JudgedBefore;  // evaluate/judged_before.h

/// The rows of one unit, by one thread. A requirement that the data cannot meet is a row with a problem, not an error. `before`: what is known of the
/// releases of other units; null: nothing.
Result<std::vector<EvaluateRow>> EvaluateUnit(const Table& table, const Plan& plan, const EvaluateOptions& options,
                                              const GridUnit& unit, const Workers& workers,
                                              JudgedBefore* before = nullptr);

/// Runs `units` at the same time, as many as threads and memory allow, and hands the rows of each to `done` as they come; calls of
/// `done` do not overlap.
Status RunGrid(const Table& table, const Plan& plan, const EvaluateOptions& options, const std::vector<GridUnit>& units,
               const Cancel* cancel, Progress& progress,
               const std::function<Status(const GridUnit&, const std::vector<EvaluateRow>&)>& done);

}  // namespace tada
