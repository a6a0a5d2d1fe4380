#pragma once

// audit: verifies a release, ours or another tool's.

#include "audit/audit.h"
#include "commands/context/context.h"
#include "plan/plan.h"
#include "report/release/manifest.h"

namespace tada {

struct AuditRequest {
  Plan plan;
  std::string report;                     ///< .json or .html; "" for none
  std::string folds = {};                 ///< .csv: which texts are one sensitive value; "" for none
  bool force = false;                     ///< overwrites these files
  std::optional<Manifest> manifest = {};  ///< what the release is said to be
  std::string public_key = {};            ///< of whoever signed it; "": anybody
};
/// The options that the command takes.
OptionSpecs AuditCommandOptions();

Result<AuditRequest> AuditRequestFrom(const PlanFile& file, const OptionValues& options);

/// `original`: the table that the release was made from; null if it is not there.
Result<Verdict> Audit(const AuditRequest& request, Source& release, Source* original, Context& context);

/// The verification as one SQL query, for whoever would rather not trust our code. `table`: its name in the query; "": after the
/// release.
Result<std::string> AuditQuery(const AuditRequest& request, const std::string& table, Source& release,
                               Context& context);

}  // namespace tada
