#pragma once

// compare: several releases of one table side by side.

#include <span>

#include "commands/context/context.h"
#include "compare/compare.h"
#include "plan/plan.h"

namespace tada {

struct CompareRequest {
  Plan plan;  ///< roles, and the requirement that the audits ask for
  CompareOptions options;
  std::string report;  ///< .json or .html; "" for none
  bool force = false;  ///< overwrites the report
};

/// The options that the command takes.
OptionSpecs CompareCommandOptions();

Result<CompareRequest> CompareRequestFrom(const PlanFile& file, const OptionValues& options);

Result<Comparison> Compare(const CompareRequest& request, std::span<Source* const> releases, Source& original,
                           Context& context);

}  // namespace tada
