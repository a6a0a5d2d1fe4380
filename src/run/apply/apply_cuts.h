#pragma once

// Releases other rows by the cuts of an earlier release (docs/apply.md). Called by run/release.h in place of a method, so that what comes
// out is written and audited like every release.

#include "run/anonymize/anonymize.h"
#include "run/apply/choose_nodes.h"

namespace tada {

struct ApplyOptions {
  Misfits misfits = Misfits::kUp;
  /// The rows are more of the table that the first release was of: compared with that one's values, misfits wait for the next batch.
  bool append = false;
};

/// kInfeasible if nothing can be released. Pre: the plan is that of the cuts; the table outlives the result.
Result<Anonymized> ApplyCuts(const Table& table, const Plan& plan, const Cuts& cuts, const ApplyOptions& options,
                             const Workers& workers, Progress& progress);

/// The plan of cuts, with what `stronger` says of the new file: how it is laid out, what is said about it. kData if it cannot be read.
Result<Plan> PlanOfCuts(const Cuts& cuts, const std::string& path, const OptionValues& stronger);

}  // namespace tada
