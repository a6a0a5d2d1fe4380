#pragma once

// The report of a run for people: one HTML page that a data protection officer can read, print and file. It needs no
// network: styles and drawings are inside, there are no scripts. Light, dark and paper. Holds no raw value unless
// Outcome::report_raw is set; then the page says on top, and on every printed page, that it is confidential.

#include <string>

#include "run/audit/outcome.h"

namespace tada {

/// The page.
std::string ReportHtml(const Outcome& outcome);

}  // namespace tada
