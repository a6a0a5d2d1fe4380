#pragma once

// anonymize: releases a table, audited before it appears.

#include "commands/context/context.h"
#include "plan/plan.h"
#include "run/apply/apply_cuts.h"
#include "run/release.h"

namespace tada {

struct AnonymizeRequest {
  Plan plan;
  std::string report;                     ///< .json or .html; "" for none
  bool report_raw = false;                ///< the report shows raw values, and is confidential
  bool force = false;                     ///< overwrites report and manifest
  std::string manifest = {};              ///< .json; "" for none
  std::string key = {};                   ///< a secret key to sign it with; "": it is not signed
  uint64_t memory = 0;                    ///< bytes that may be resident, about; 0: as much as it takes
  std::string command;                    ///< how to run it again, for the report
  bool takes_cuts = false;                ///< the cuts are in the result
  std::string save_cuts = {};             ///< where the cuts go, for 'tada apply'; "" for none
  std::string save_people = {};           ///< where codes of the released people go, confidential; "" for none
  std::string people = {};                ///< who was released before: a file of save_people
  std::string ledger = {};                ///< what was released before, confidential; "" for none
  std::shared_ptr<const Cuts> cuts = {};  ///< of apply: to release by, in place of the plan's method
  ApplyOptions apply = {};
};
/// The options that the command takes.
OptionSpecs AnonymizeCommandOptions();

/// The options of what lasts beyond a release: saved people, the ledger. Those of anonymize and apply.
OptionSpecs LastingOptions();

/// What a plan file and the options over it ask for.
Result<AnonymizeRequest> AnonymizeRequestFrom(const PlanFile& file, const OptionValues& options);

/// The same for a plan that is there: report, manifest, and what lasts.
Result<AnonymizeRequest> AnonymizeRequestOf(Plan plan, const OptionValues& options);

/// A release whose audit fails comes back with outcome.verdict.passed false; nothing is then published. Errors leave nothing
/// behind.
Result<FinishedRelease> Anonymize(const AnonymizeRequest& request, Source& source, Sink& sink, Context& context);

}  // namespace tada
