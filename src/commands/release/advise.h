#pragma once

// advise: shows everything that can be released of a table, how anonymous and how useful, and releases what is chosen.

#include "commands/context/context.h"
#include "commands/release/anonymize.h"
#include "report/advice/advice_report.h"
#include "run/advise/advise.h"

namespace tada {

struct AdviseRequest {
  PlanFile plan_file;   ///< the plan follows from it, `values` and the header of the table
  OptionValues values;  ///< over the file's
  AdviseOptions options;
  JointOptions joint;
  std::string output;   ///< .json; "" for none, "-" to leave it to the caller
  std::string report;   ///< .html or .json; "" for none
  bool force = false;   ///< overwrites them
  bool resume = false;  ///< goes on from what an interrupted call kept beside the output
  std::string command;  ///< how to run it again, for the page
};
/// The options that the command takes.
OptionSpecs AdviseCommandOptions();

Result<AdviseRequest> AdviseRequestFrom(const PlanFile& file, const OptionValues& options);

struct AdviseResult {
  Advice advice;
  Joint joint;
  Plan plan;
  AdviceSource source;
  std::string json;  ///< what `output` has
};

Result<AdviseResult> Advise(const AdviseRequest& request, Source& table, Context& context);

/// The request that releases the rule or candidate `id` of an advice file, and the path of the table that the advice is about.
struct ChosenRelease {
  AnonymizeRequest request;
  std::string input;
};
Result<ChosenRelease> ChooseRelease(const std::string& advice_path, const std::string& id, const OptionValues& options);

}  // namespace tada
