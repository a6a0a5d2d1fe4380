// The program: everything is in cli/run_command_line.h, so that tests can call it too.

#include <cstdlib>
#include <iostream>

#include "cli/run_command_line.h"
#include "cli/terminal/exit_code.h"
#include "files/arrow/arrow_files.h"
#include "files/arrow/arrow_remote.h"
#include "files/stores/store_files.h"
#include "server/serve.h"

int main(int argc, char** argv) {
  tada::ArrowFiles by_extension;
  tada::ArrowRemote remote;
  tada::StoreFiles files(by_extension, &remote);
  const int code = tada::RunCommandLine(argc, argv, files, &tada::Serve);
  if (code != tada::kExitInternal) return code;
  // Where memory is used up, what libraries do at the end of a program needs more of it and crashes.
  std::cout.flush();
  std::_Exit(code);
}
