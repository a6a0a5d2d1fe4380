#pragma once

// tada serve. The program hands its server in; where there is none, as in the Python package, whose jobs would have no program to run
// in, the command says so.

#include "cli/commands/command.h"
#include "server/serve.h"

namespace tada {

/// What `tada serve` calls from now on. Before the command line is run.
void UseServer(ServeFunction serve);

Command MakeServeCommand();

}  // namespace tada
