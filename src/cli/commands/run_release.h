#pragma once

// What anonymize and apply do on the command line once they know what is asked: release, and say what came of it.

#include "cli/commands/command.h"
#include "commands/release/anonymize.h"

namespace tada {

Result<int> RunRelease(AnonymizeRequest request, const std::string& input, const ParsedCommandLine& line,
                       Console& console);

}  // namespace tada
