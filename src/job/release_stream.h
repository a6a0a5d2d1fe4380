#pragma once

// From stream to audited stream, in memory: what job/release_file.h is for files. Python and Spark's workers go through
// here. The audit reads the batches that will be handed out.

#include <memory>
#include <string>

#include "base/progress.h"
#include "base/workers.h"
#include "files/c_stream/read_stream.h"
#include "files/c_stream/write_stream.h"
#include "run/anonymize.h"
#include "run/outcome.h"

namespace tada {

struct StreamJob {
  Plan plan;
  std::string name = "the frame";  ///< what messages and the report call the input
  std::string format = "arrow";    ///< of the input, for the report
  bool untyped = false;            ///< the texts of a CSV file: types are inferred
  bool report_raw = false;         ///< the report shows raw values, and is confidential
};

struct StreamRelease {
  std::unique_ptr<StreamTable> input;  ///< what `made` refers to
  Anonymized made;
  std::shared_ptr<const Batches> batches;
  Outcome outcome;
};

/// Releases a stream. A release whose audit fails comes back with outcome.verdict.passed false and without batches.
Result<StreamRelease> ReleaseStream(ArrowArrayStream& stream, const StreamJob& job, const Workers& workers,
                                    Progress& progress);

/// Audits a release, against its original if there is one (else null). `names` is how messages call the two.
struct StreamNames {
  std::string release = "the release", original = "the original";
};
Result<Verdict> AuditStream(ArrowArrayStream& release, ArrowArrayStream* original, const Plan& plan,
                            const StreamNames& names, const Workers& workers, Progress& progress);

}  // namespace tada
