#include "cli/commands.h"

#include <vector>

#include "cli/demo/demo_command.h"

namespace tada {

std::span<const Command> Commands() {
  // clang-format off
  static const std::vector<Command> kCommands = {
      MakeAnonymizeCommand(),
      MakeApplyCommand(),
      MakeAuditCommand(),
      MakeAttackCommand(),
      MakeCompareCommand(),
      MakeComposeCommand(),
      MakeDecodeCommand(),
      MakeInspectCommand(),
      MakeEvaluateCommand(),
      MakeAdviseCommand(),
      MakeHierarchyCommand(),
      MakeServeCommand(),
      MakeDemoCommand(),
      MakeKeyCommand(),
      MakeMethodsCommand(),
      MakeHelpCommand(),
      MakeManCommand(),
      MakeCompletionCommand(),
  };
  // clang-format on
  return kCommands;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace tada
