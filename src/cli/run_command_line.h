#pragma once

// The program from its arguments to its exit code. The only place that catches InternalError and Interrupted.

#include <ostream>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "files/files.h"

namespace tada {

/// Runs the program: reads `argv`, listens to signals, writes to the standard streams. `files` reads and writes the files.
int RunCommandLine(int argc, char** argv, Files& files);

/// The same without signals and with other streams. `err_is_terminal` decides whether a progress bar is drawn.
int RunArguments(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, bool err_is_terminal,
                 Files& files, const Cancel& cancel);

}  // namespace tada
