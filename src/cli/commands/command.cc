#include "cli/commands/command.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cli/terminal/exit_code.h"
#include "files/format.h"
#include "plan/shell_command.h"

namespace tada {
namespace {

bool IsList(const Command& command, std::string_view option) {
  const OptionSpec* spec = FindOption(command.options, option);
  return spec != nullptr && spec->type == OptionType::kList;
}

}  // namespace

OptionSpecs ListedOptions(const Command& command) {
  OptionSpecs listed;
  std::ranges::copy_if(command.options, std::back_inserter(listed), &OptionSpec::listed);
  return listed;
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

Result<std::string> TableOperand(const ParsedCommandLine& line) {
  for (const std::string& operand : line.operands) {
    std::error_code none;
    if (line.operands.size() == 1 || std::filesystem::exists(operand, none)) continue;
    return InvalidArgument("'tada {}' does not know what to do with another argument: {}", line.command->name,
                           ShownPath(operand))
        .WithHint("Several files are one table; this is none of them.");
  }
  const std::string path = PathOfList(line.operands);
  return line.options.Has("query") ? PathWithQuery(path, line.options.Text("query")) : path;
}

std::string CommandText(const ParsedCommandLine& line) {
  constexpr std::string_view kLeftOut[] = {"progress", "quiet", "threads", "force", "resume", "json", "memory"};
  std::string text = fmt::format("tada {}", line.command->name);
  for (const std::string& operand : line.operands) text += " " + ShellQuote(ShownPath(operand));
  for (const auto& [name, values] : line.options.all()) {
    if (std::ranges::find(kLeftOut, name) != std::end(kLeftOut)) continue;
    text += name == "output" ? " -o" : name.size() == 1 ? " -" + name : " --" + name;
    if (values.size() == 1 && values[0] == "true") continue;
    const bool single = values.size() == 1 && !IsList(*line.command, name);
    text += " " + ShellQuote(single ? ShownPath(values[0]) : JoinList(values));
  }
  return text;
}

Result<PlanFile> PlanFileOf(const ParsedCommandLine& line) {
  if (!line.options.Has("plan")) return PlanFile();
  return ReadPlanFile(line.options.Text("plan"));
}

Result<Plan> DraftFromCommandLine(const ParsedCommandLine& line) {
  TADA_TRY(file, PlanFileOf(line));
  return DraftPlan(file, line.options);
}

Result<Plan> PlanFromCommandLine(const ParsedCommandLine& line) {
  TADA_TRY(file, PlanFileOf(line));
  return PlanFromFile(file, line.options);
}

}  // namespace tada
