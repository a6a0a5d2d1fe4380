#pragma once

// The one way from a source to a sink: read, anonymize, write, read back what was written and audit it. Program, Python, the C
// interface and whoever comes next go through here; what differs between them is the source and the sink.

#include <functional>
#include <memory>
#include <string>

#include "files/files.h"
#include "run/anonymize/anonymize.h"
#include "run/audit/outcome.h"

namespace tada {

struct ReleaseRequest {
  Plan plan;
  bool report_raw = false;  ///< the report shows raw values, and is confidential
  bool digests = false;     ///< the report has the digest of the release, and with report_raw that of the input
  uint64_t memory = 0;      ///< bytes that may be resident, about; 0: as much as it takes (base/disk/spill.h)
  std::string command;      ///< how to run it again, for the report
  /// How the table is anonymized: Anonymize(), or with a method that is chosen first, which changes the plan.
  std::function<Result<Anonymized>(const Table& table, Plan& plan, const Workers& workers, Progress& progress)>
      anonymize;
};

/// A release that is written and audited, but not published.
struct FinishedRelease {
  std::unique_ptr<const TableFile> input;  ///< what `made` refers to
  Anonymized made;
  std::vector<std::string> notes;  ///< on the input, for whoever has it; no part of any report
  Outcome outcome;                 ///< its verdict says whether the release may be published
};

/// kIo if the disk has no room for what `memory` does not hold.
Result<FinishedRelease> MakeRelease(const ReleaseRequest& request, Source& source, Sink& sink, const Workers& workers,
                                    Progress& progress);

}  // namespace tada
