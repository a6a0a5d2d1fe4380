#pragma once

// Results of a grid as a CSV that grows while the grid runs, and as summaries over the seeds.
// The first column, `run`, names the grid that a row belongs to: a digest of everything besides methods, k, l and seeds that
// results depend on. So rows of another input or protocol are never mixed in when a grid is resumed; they stay in the file.

#include <string>
#include <vector>

#include "evaluate/evaluate.h"
#include "evaluate/paired.h"

namespace tada {

/// A short digest of plan, protocol, learners, version, and `input`: which file it is, not what it holds, since results may be
/// published, and a digest of the raw table would let anybody check guesses about it.
std::string RunName(const std::string& input, const Plan& plan, const EvaluateOptions& options);

std::string ResultsHeader();
std::string ResultsLine(const std::string& run, const EvaluateOptions& options, const EvaluateRow& row);

struct FoundResults {
  std::vector<EvaluateRow> rows;  ///< of the run
  std::string others;             ///< lines of other runs, as they stand
};

/// What is in a CSV that ResultsLine wrote; a last line that was cut off is left out. An error if the header is another.
Result<FoundResults> ReadResults(std::string_view csv, const std::string& run, const std::string& path);

/// Units whose rows are all there, taken out of `units`.
std::vector<GridUnit> UnitsLeft(const std::vector<GridUnit>& units, const EvaluateOptions& options, Task task,
                                const std::vector<EvaluateRow>& rows);

struct Summary {
  std::string learner, method;
  int64_t k = 0, l = 0;
  uint32_t seeds = 0;   ///< with a result
  std::string problem;  ///< of a seed without one
  MeanInterval value;   ///< of the main metric
  double ratio = 0;     ///< mean over the seeds of value / raw; NaN without raw
  double accuracy = 0, ncp = 0, release_seconds = 0;
  uint64_t reached_k = 0, reached_l = 0;
  double difference = 0, p = 1;  ///< to the baseline at the same k and l, seed by seed; NaN where there is none
  /// "win", "tie" or "loss" against the baseline at 5%; "" for the baseline itself and raw.
  std::string against_baseline;
};

/// One summary per learner, method, k and l, in the order of the grid.
std::vector<Summary> Summarize(const std::vector<EvaluateRow>& rows, const EvaluateOptions& options, Task task,
                               const std::string& baseline);

}  // namespace tada
