#pragma once

// The report of a run for machines: one JSON object. Its keys are an interface; further keys may be
// added: `controllers`, `verdict`, `risk`, `input`, `output`, `columns`, `dropped`, `warnings`, `about`, `plan`. Holds no raw value unless
// Outcome::report_raw is set, and then `confidential` is true.

#include <string>

#include "run/outcome.h"

namespace tada {

/// The report as JSON text, indented, with a line end.
std::string ReportJson(const Outcome& outcome);

/// The l that a release has, as reports write it: 1 when no column is sensitive, since then nothing is asked.
uint64_t ReachedL(const Outcome& outcome);

/// What the whole release was audited against: the plan's requirement, or with several controllers the weakest of theirs.
const Requirement& Asked(const Outcome& outcome);

}  // namespace tada
