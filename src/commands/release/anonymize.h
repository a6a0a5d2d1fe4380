#pragma once

// anonymize: releases a table, audited before it appears.

#include "commands/context/context.h"
#include "plan/plan.h"
#include "run/release.h"

namespace tada {

struct AnonymizeRequest {
  Plan plan;
  std::string report;         ///< .json or .html; "" for none
  bool report_raw = false;    ///< the report shows raw values, and is confidential
  bool force = false;         ///< overwrites report and manifest
  std::string manifest = {};  ///< .json; "" for none
  std::string key = {};       ///< a secret key to sign it with; "": it is not signed
  uint64_t memory = 0;        ///< bytes that may be resident, about; 0: as much as it takes
  std::string command;        ///< how to run it again, for the report
};
/// The options that the command takes.
OptionSpecs AnonymizeCommandOptions();

/// What a plan file and the options over it ask for.
Result<AnonymizeRequest> AnonymizeRequestFrom(const PlanFile& file, const OptionValues& options);

/// A release whose audit fails comes back with outcome.verdict.passed false; nothing is then published. Errors leave nothing
/// behind.
Result<FinishedRelease> Anonymize(const AnonymizeRequest& request, Source& source, Sink& sink, Context& context);

}  // namespace tada
