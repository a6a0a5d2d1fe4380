#pragma once

// attack: what somebody who knows people's quasi-identifiers can do with a release.

#include "attack/attack.h"
#include "commands/context/context.h"
#include "plan/plan.h"

namespace tada {

struct AttackRequest {
  Plan plan;  ///< its quasi-identifiers and sensitive columns
  AttackOptions options;
  std::string report;  ///< .json or .html; "" for none
  bool force = false;  ///< overwrites the report
};
/// The options that the command takes.
OptionSpecs AttackCommandOptions();

/// The file that --population names; nothing if it is not given, or is a number: how many people there are.
std::optional<std::string> PopulationFile(const OptionValues& options);

Result<AttackRequest> AttackRequestFrom(const PlanFile& file, const OptionValues& options);

/// `population`: everybody who might be in the original; null if there is no such table.
Result<AttackResult> Attack(const AttackRequest& request, Source& release, Source& original, Source* population,
                            Context& context);

}  // namespace tada
