#pragma once

// Command lines, read against the option table.
//   operand   an argument that is neither an option nor an option's value: INPUT.
//   option    `--name value`, `--name=value`, `-k 10`, `-k10`; a flag is `--name`. Flags' letters may stand together.
// Options and operands may be mixed; `--` ends the options; `-` is an operand or a value. A list option given twice
// appends; any other option given twice has its last value.

#include <string>
#include <vector>

#include "base/option.h"
#include "plan/plan.h"

namespace tada {

struct Command;

struct ParsedCommandLine {
  enum class Ask { kRun, kShowHelp, kShowVersion };
  Ask ask = Ask::kRun;
  const Command* command = nullptr;  ///< null only for the help and version of the program itself
  OptionValues options;
  std::vector<std::string> operands;
};

/// Reads the arguments behind the program's name. Errors are kInvalidArgument and propose the nearest known word.
Result<ParsedCommandLine> ParseCommandLine(const std::vector<std::string>& arguments);

/// Says that there is no such command, and proposes the nearest.
Error UnknownCommand(const std::string& word);

/// The command again, for who wants the same result: without options that say how fast or how it is shown.
std::string CommandText(const ParsedCommandLine& line);

/// The plan file that --plan names; an empty one without the option.
Result<PlanFile> PlanFileOf(const ParsedCommandLine& line);
/// The plan that a command line asks for: --plan's file, overridden by the other options, and checked.
Result<Plan> PlanFromCommandLine(const ParsedCommandLine& line);
/// The same without the check that it is complete.
Result<Plan> DraftFromCommandLine(const ParsedCommandLine& line);

}  // namespace tada
