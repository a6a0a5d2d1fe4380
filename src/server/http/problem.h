#pragma once

// Errors as the page gets them: problem+json (RFC 9457) with the command's message, hint and exit code.

#include <string>

#include "base/status.h"
#include "server/http/message.h"

namespace tada {

/// `exit_code`: of the command that failed; 0 for what no command says.
HttpResponse ProblemResponse(int status, const std::string& message, const std::string& hint, int exit_code = 0);

/// The status that an exit code becomes: 2 is 400, 3 is 422, 4 is 409, 5 is 507, anything else 500.
int StatusOfExit(int exit_code);

/// An error of the library, as the command line would have exited with it.
HttpResponse ProblemResponse(const Error& error);

}  // namespace tada
