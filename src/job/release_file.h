#pragma once

// From file to file: read, anonymize, write under a hidden name, audit what was written, and only then give it its name.
// The command line, the server and Spark's driver go through here.

#include <string>

#include "base/progress.h"
#include "base/workers.h"
#include "run/outcome.h"

namespace tada {

struct ReleaseJob {
  std::string input;       ///< a path, or "-"
  std::string input_name;  ///< what the report calls the input; "": its path
  std::string output;      ///< a path, or "-"
  std::string report;      ///< .json or .html; "" for none
  bool report_raw = false;
  bool force = false;   ///< overwrite output and report
  uint64_t memory = 0;  ///< bytes that may be resident, about; 0: as much as it takes (base/spill.h)
  Plan plan;
  std::string command;  ///< how to run it again, for the report
};

/// Releases a table. A release whose audit fails comes back as an Outcome with verdict.passed false; nothing is then
/// published. Errors leave no file behind.
Result<Outcome> ReleaseFile(const ReleaseJob& job, const Workers& workers, Progress& progress);

}  // namespace tada
