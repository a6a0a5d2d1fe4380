// The program: everything is in cli/run_command_line.h, so that tests can call it too.

#include <cstdlib>
#include <iostream>

#include "cli/exit_code.h"
#include "cli/run_command_line.h"

int main(int argc, char** argv) {
  const int code = tada::RunCommandLine(argc, argv);
  if (code != tada::kExitInternal) return code;
  // Where memory is used up, what libraries do at the end of a program needs more of it and crashes.
  std::cout.flush();
  std::_Exit(code);
}
