#pragma once

// The commands, one list. A command is a name, words for help, man page and completion, and a function; its options are
// the ones that plan/option_table.h says it takes. To add one: a file such as demo_command.cc with a function such as MakeDemoCommand(),
// declared below and named in commands.cc.

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace tada {

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
  std::vector<std::pair<int, std::string_view>> exits;  ///< what its exit status means
  std::string_view note;                                ///< a last paragraph of its help; may be empty
  /// Does it; returns the exit code of an answer (0, or 1 for "no"), or an error.
  Result<int> (*run)(const ParsedCommandLine& line, Console& console) = nullptr;
};

/// All commands, in the order in which they are shown.
std::span<const Command> Commands();

/// The command of that name; null if there is none.
const Command* FindCommand(std::string_view name);

/// The meanings that exit codes have everywhere, without 0 and 1.
std::vector<std::pair<int, std::string_view>> CommonExits(std::vector<std::pair<int, std::string_view>> first);

/// Says that the audit of a finished release failed, which is a bug in tada; the exit code.
int SayAuditFailed(const Verdict& verdict, Console& console);

Command MakeAdviseCommand();
Command MakeAnonymizeCommand();
Command MakeAttackCommand();
Command MakeAuditCommand();
Command MakeCompletionCommand();
Command MakeComposeCommand();
Command MakeDecodeCommand();
Command MakeDemoCommand();
Command MakeEvaluateCommand();
Command MakeHelpCommand();
Command MakeHierarchyCommand();
Command MakeInspectCommand();
Command MakeManCommand();
Command MakeMethodsCommand();
Command MakeServeCommand();

}  // namespace tada
