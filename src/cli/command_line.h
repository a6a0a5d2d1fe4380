#pragma once

// Command lines, read against the option table.
//   operand   an argument that is neither an option nor an option's value: INPUT.
//   option    `--name value`, `--name=value`, `-k 10`, `-k10`; a flag is `--name`. Flags' letters may stand together.
// Options and operands may be mixed; `--` ends the options; `-` is an operand or a value. A list option given twice
// appends; any other option given twice has its last value.

#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace tada {

/// Reads the arguments behind the program's name. Errors are kInvalidArgument and propose the nearest known word.
Result<ParsedCommandLine> ParseCommandLine(const std::vector<std::string>& arguments);

/// Says that there is no such command, and proposes the nearest.
Error UnknownCommand(const std::string& word);

}  // namespace tada
