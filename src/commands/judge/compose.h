#pragma once

// compose: what several releases give away together.

#include <span>

#include "commands/context/context.h"
#include "compose/compose.h"
#include "plan/plan.h"

namespace tada {

struct ComposeRequest {
  Plan plan;
  ComposeOptions options;
};
/// The options that the command takes.
OptionSpecs ComposeCommandOptions();

Result<ComposeRequest> ComposeRequestFrom(const PlanFile& file, const OptionValues& options);

Result<Composition> Compose(const ComposeRequest& request, std::span<Source* const> releases, Context& context);

}  // namespace tada
