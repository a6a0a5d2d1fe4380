#pragma once

// The program from its arguments to its exit code. The only place that catches InternalError and Interrupted.

#include <ostream>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "files/files.h"
#include "server/serve.h"

namespace tada {

/// Runs the program: reads `argv`, listens to signals, writes to the standard streams. `files` reads and writes the files; `serve` is
/// what `tada serve` calls, null where it cannot be had.
int RunCommandLine(int argc, char** argv, Files& files, ServeFunction serve = nullptr);

/// The same without signals and with other streams. `err_is_terminal` decides whether a progress bar is drawn.
int RunArguments(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, bool err_is_terminal,
                 Files& files, const Cancel& cancel, ServeFunction serve = nullptr);

}  // namespace tada
