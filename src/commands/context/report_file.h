#pragma once

// The file that --report names, of commands that release nothing: JSON or a page, by its ending.

#include <functional>
#include <string>

#include "base/status.h"

namespace tada {

/// Refuses a report that could not be written, before the work and not after it. An empty path is fine: no report.
Status CheckReportFile(const std::string& path, bool force);

/// Writes the report whole or not at all; nothing if the path is empty. Only the text that the ending asks for is made.
Status WriteReportFile(const std::string& path, bool force, const std::function<std::string()>& json,
                       const std::function<std::string()>& html);

}  // namespace tada
