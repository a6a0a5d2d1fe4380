#pragma once

// The report of a run for machines: one JSON object. Its keys are an interface; further keys may be
// added: `controllers`, `verdict`, `risk`, `input`, `output`, `columns`, `dropped`, `warnings`, `about`, `plan`. Holds no raw value unless
// Outcome::report_raw is set, and then `confidential` is true.

#include <string>

#include "run/audit/outcome.h"

namespace tada {

/// The report as JSON text, indented, with a line end.
std::string ReportJson(const Outcome& outcome);

/// The l that a release has, as reports write it: 1 when no column is sensitive, since then nothing is asked.
uint64_t ReachedL(const Outcome& outcome);

/// What the whole release was audited against: the plan's requirement, or with several controllers the weakest of theirs.
const Requirement& Asked(const Outcome& outcome);

// What a report may say that is not marked as confidential: nothing that does not follow from the released file and the plan.

/// Whether it tells what single controllers reached: only where the release says whose rows are whose.
bool ShowsControllers(const Outcome& outcome);
/// Warnings that it repeats: not those that tell about the raw table.
std::vector<std::string> ShownWarnings(const Outcome& outcome);
/// Whether it names a column: only one that is released.
bool ShowsColumn(const Outcome& outcome, const Outcome::Column& column);
/// Whether it counts a column's values: only if all of them are released as they are.
bool ShowsCounts(const Outcome& outcome, const Outcome::Column& column);

}  // namespace tada
