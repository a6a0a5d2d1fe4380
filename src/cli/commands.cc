#include "cli/commands.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/exit_code.h"

namespace tada {

std::span<const Command> Commands() {
  static const std::vector<Command> kCommands = {
      MakeAnonymizeCommand(), MakeAuditCommand(),    MakeAttackCommand(), MakeComposeCommand(),    MakeDecodeCommand(),
      MakeInspectCommand(),   MakeEvaluateCommand(), MakeAdviseCommand(), MakeHierarchyCommand(),  MakeServeCommand(), MakeDemoCommand(),
      MakeMethodsCommand(),   MakeHelpCommand(),     MakeManCommand(),    MakeCompletionCommand(),
  };
  return kCommands;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::vector<std::pair<int, std::string_view>> CommonExits(std::vector<std::pair<int, std::string_view>> first) {
  const std::pair<int, std::string_view> common[] = {
      {2, "wrong usage or plan"},
      {3, "the input cannot be read or is damaged"},
      {4, "the data cannot meet the requirement"},
      {5, "output cannot be written"},
      {70, "a bug in tada"},
      {130, "interrupted: nothing was written"},
  };
  for (const auto& [code, meaning] : common) {  // a command may have words of its own
    if (std::ranges::none_of(first, [&](const auto& own) { return own.first == code; }))
      first.push_back({code, meaning});
  }
  std::ranges::stable_sort(first, {}, [](const auto& exit) { return exit.first; });
  return first;
}

int SayAuditFailed(const Verdict& verdict, Console& console) {
  console.err << "tada: error: the audit of the finished file failed, nothing was released: "
              << fmt::format("{}", fmt::join(verdict.problems, "; ")) << "\n"
              << "tada: hint: this is a bug in tada; please report it with the plan and the --seed that show it.\n";
  return kExitAuditFailed;
}

}  // namespace tada
