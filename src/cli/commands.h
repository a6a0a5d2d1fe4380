#pragma once

// The list of commands. Most stand in cli/commands; the demo has a folder of its own, and those that print this list stand here.

#include <span>
#include <string_view>

#include "cli/commands/command.h"

namespace tada {

/// All commands, in the order in which they are shown.
std::span<const Command> Commands();

/// The command of that name; null if there is none.
const Command* FindCommand(std::string_view name);

Command MakeCompletionCommand();
Command MakeHelpCommand();
Command MakeManCommand();
Command MakeMethodsCommand();
Command MakeServeCommand();

}  // namespace tada
