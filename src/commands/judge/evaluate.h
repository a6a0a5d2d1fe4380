#pragma once

// evaluate: what models still learn from releases, over a grid of methods, k, l and seeds.

#include "commands/context/context.h"
#include "evaluate/results.h"
#include "plan/plan.h"

namespace tada {

struct EvaluateRequest {
  PlanFile plan_file;   ///< the grid follows from it, `values` and the task, which the table decides
  OptionValues values;  ///< over the file's
  Plan plan;            ///< everything but what the grid varies
  std::string output;   ///< .csv, which grows while the grid runs, or .json; "" for none
  std::string report;   ///< .html or .json; "" for none
  bool force = false;   ///< overwrites them
  bool resume = false;  ///< goes on from what the output has
  std::string command;  ///< how to run it again, for the page
  std::vector<ExternalMethod> externals = {};  ///< methods of the caller's own
  OutsideLearner outside = {};                 ///< learners of the caller's own

  bool grows() const { return output.ends_with(".csv"); }
};
/// The options that the command takes.
OptionSpecs EvaluateCommandOptions();

Result<EvaluateRequest> EvaluateRequestFrom(const PlanFile& file, const OptionValues& options);

struct EvaluateResult {
  std::vector<Summary> summaries;
  std::vector<EvaluateRow> rows;
  EvaluateOptions options;
  Task task = Task::kNone;
  std::string baseline;
  std::string json;
};

Result<EvaluateResult> Evaluate(const EvaluateRequest& request, Source& table, Context& context);

}  // namespace tada
