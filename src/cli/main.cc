// The program: everything is in cli/run_command_line.h, so that tests can call it too.

#include <cstdlib>
#include <iostream>

#include "cli/run_command_line.h"
#include "cli/terminal/exit_code.h"
#include "files/on_demand/arrow_on_demand.h"
#include "files/stores/store_files.h"
#include "server/serve.h"

int main(int argc, char** argv) {
  tada::ArrowLibrary arrow;
  tada::FilesOnDemand by_extension(arrow);
  tada::RemoteOnDemand remote(arrow);
  tada::StoreFiles files(by_extension, &remote);
  const int code = tada::RunCommandLine(argc, argv, files, &tada::Serve);
  if (code != tada::kExitInternal) return code;
  // Where memory is used up, what libraries do at the end of a program needs more of it and crashes.
  std::cout.flush();
  std::_Exit(code);
}
