#pragma once

// What a command of the command line may talk to besides its context: where results and notes go.

#include <ostream>

#include "commands/context/context.h"
#include "server/serve.h"

namespace tada {

struct Console : Context {
  std::ostream& out;              ///< standard output: results
  std::ostream& err;              ///< standard error: notes; errors are returned, not printed
  ServeFunction serve = nullptr;  ///< null where there is no program to run jobs in, as in the Python package
};

}  // namespace tada
