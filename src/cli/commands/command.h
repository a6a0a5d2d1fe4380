#pragma once

// A command of the program: a name, words for help, man page and completion, and a function; its options are described
// beside the function in commands/, and collected in commands/option_table.h. To add one: a file such as decode_command.cc with a function such as MakeDecodeCommand(),
// declared below and named in cli/commands.cc.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "base/option.h"
#include "cli/terminal/console.h"
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

struct CommandExample {
  std::string_view comment;  ///< what it is for: "For a classifier that will predict \"job\""
  std::string_view line;     ///< what to type
};

struct Command {
  std::string_view name;
  std::string_view summary;      ///< a few words, for lists of commands
  std::string_view description;  ///< what it does, a sentence or two
  std::string_view usage;        ///< after "tada <name>": "<input> -o <output> [options]"
  size_t min_operands = 0, max_operands = 0;
  std::vector<std::string_view> operand_choices;  ///< the words an operand may be; empty: files
  std::vector<CommandExample> examples;
  OptionSpecs options;
  std::vector<std::pair<int, std::string_view>> exits;  ///< what its exit status means
  std::string_view note;                                ///< a last paragraph of its help; may be empty
  /// Does it; returns the exit code of an answer (0, or 1 for "no"), or an error.
  Result<int> (*run)(const ParsedCommandLine& line, Console& console) = nullptr;
};

/// The options of a command that help shows.
OptionSpecs ListedOptions(const Command& command);

/// The meanings that exit codes have everywhere, without 0 and 1.
std::vector<std::pair<int, std::string_view>> CommonExits(std::vector<std::pair<int, std::string_view>> first);

/// Says that the audit of a finished release failed, which is a bug in tada; the exit code.
int SayAuditFailed(const Verdict& verdict, Console& console);

/// The command again, for whoever wants the same result: without options that say how fast or how it is shown.
std::string CommandText(const ParsedCommandLine& line);

/// The table that the operands name, several files being one; --query is part of it.
Result<std::string> TableOperand(const ParsedCommandLine& line);
/// How many files may be one table.
constexpr size_t kMostFiles = 100'000;

/// The plan file that --plan names; an empty one without the option.
Result<PlanFile> PlanFileOf(const ParsedCommandLine& line);
/// The plan that a command line asks for: --plan's file, overridden by the other options, and checked.
Result<Plan> PlanFromCommandLine(const ParsedCommandLine& line);
/// The same without the check that it is complete.
Result<Plan> DraftFromCommandLine(const ParsedCommandLine& line);

Command MakeAdviseCommand();
Command MakeAnonymizeCommand();
Command MakeAttackCommand();
Command MakeAuditCommand();
Command MakeCompareCommand();
Command MakeComposeCommand();
Command MakeDecodeCommand();
Command MakeEvaluateCommand();
Command MakeHierarchyCommand();
Command MakeInspectCommand();
Command MakeKeyCommand();

}  // namespace tada
