#pragma once

// inspect: profiles a table and proposes roles.

#include "commands/context/context.h"
#include "plan/plan.h"
#include "run/inspect/inspect.h"

namespace tada {

struct InspectRequest {
  Plan plan;  ///< a draft: the roles that are known
  RiskQuestions questions = {};
  std::string row_risks = {};  ///< where the risk of every row goes; "" for nowhere
  bool force = false;          ///< overwrites it
};
/// The options that the command takes.
OptionSpecs InspectCommandOptions();

Result<InspectRequest> InspectRequestFrom(const PlanFile& file, const OptionValues& options);

Result<Profile> Inspect(const InspectRequest& request, Source& source, Context& context);

}  // namespace tada
