// The program: everything is in cli/run_command_line.h, so that tests can call it too.

#include "cli/run_command_line.h"

int main(int argc, char** argv) { return tada::RunCommandLine(argc, argv); }
