#pragma once

#include <string>

#include "base/status.h"

namespace tada {

/// The bytes of a small file: a plan, a hierarchy, results. The message of the error is the reason alone ("Is a directory"); who asked
/// knows what the file is for, and which exit code fits.
Result<std::string> ReadWholeFile(const std::string& path);

}  // namespace tada
