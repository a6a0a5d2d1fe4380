#pragma once

// Errors as the program shows them: an interface (docs/formats.md, "Exit codes").

#include <ostream>

#include "base/exit_code.h"

namespace tada {

/// Prints `tada: error: MESSAGE` on one line, then a line with what to do.
void PrintError(std::ostream& stream, const Error& error);

/// Prints that the run was stopped before its end, and what it had written by then.
void PrintStopped(std::ostream& stream, std::string_view why, std::string_view hint);

/// Prints a bug in tada, and how to report it.
void PrintInternalError(std::ostream& stream, const char* what);

}  // namespace tada
