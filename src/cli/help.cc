#include "cli/help.h"

#include <algorithm>

#include "base/version.h"
#include "cli/command_line.h"
#include "plan/methods.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kMeaningColumn = 32;
constexpr std::string_view kMethodSection = "Options of methods";

std::string OptionLine(const OptionSpec& spec) {
  const std::string forms = "  " + OptionForms(spec);
  const std::string meaning = Wrap(OptionMeaning(spec), kWidth, kMeaningColumn);
  if (TextWidth(forms) + 2 > kMeaningColumn) {
    return fmt::format("{}\n{}{}\n", forms, std::string(kMeaningColumn, ' '), meaning);
  }
  return fmt::format("{}{}{}\n", forms, std::string(kMeaningColumn - TextWidth(forms), ' '), meaning);
}

Result<int> RunHelp(const ParsedCommandLine& line, Console& console) {
  if (line.operands.empty()) {
    console.out << ProgramHelp();
    return 0;
  }
  const Command* command = FindCommand(line.operands.front());
  if (command == nullptr) return UnknownCommand(line.operands.front());
  console.out << CommandHelp(*command);
  return 0;
}

}  // namespace

std::string OptionForms(const OptionSpec& spec) {
  const std::string letter = spec.letter != 0 ? fmt::format("-{}, ", spec.letter) : "";
  const std::string value = spec.type == OptionType::kFlag ? "" : fmt::format(" <{}>", spec.value_name);
  return fmt::format("{}--{}{}", letter, spec.name, value);
}

std::string OptionMeaning(const OptionSpec& spec) {
  std::string meaning(spec.help);
  if (spec.type == OptionType::kChoice) meaning += fmt::format(" One of: {}.", fmt::join(spec.choices, ", "));
  if (!spec.default_text.empty()) meaning += fmt::format(" [default: {}]", spec.default_text);
  if (spec.of_method) {
    meaning += fmt::format(" [methods: {}]", fmt::join(MethodsTaking(spec.name), ", "));
  }
  return meaning;
}

std::vector<OptionSection> OptionSections(const Command& command) {
  std::vector<OptionSection> sections;
  for (const OptionSpec& spec : ListedOptions(command)) {
    const std::string title(spec.of_method ? kMethodSection : spec.section);
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const auto& section) { return section.title == title; });
    OptionSection& section = found != sections.end() ? *found : sections.emplace_back(OptionSection{title, {}});
    section.options.push_back(spec);
  }
  return sections;
}

std::string CommandHelp(const Command& command) {
  std::string help = Wrap(command.description, kWidth, 0) + "\n\n";
  help += fmt::format("Usage: tada {} {}\n", command.name, command.usage);
  if (!command.examples.empty()) help += "\nExamples:\n";
  for (const CommandExample& example : command.examples) {
    help += fmt::format("  # {}:\n  {}\n", example.comment, example.line);
  }
  for (const OptionSection& section : OptionSections(command)) {
    help += fmt::format("\n{}:\n", section.title);
    for (const OptionSpec& spec : section.options) help += OptionLine(spec);
  }
  if (!command.note.empty()) help += '\n' + Wrap(command.note, kWidth, 0) + '\n';
  help += "\nExit status:\n";
  for (const auto& [code, meaning] : command.exits) help += fmt::format("  {:<4} {}\n", code, meaning);
  return help;
}

std::string ProgramHelp() {
  std::string help = fmt::format(
      "tada {}: releases tables of people so that nobody can be singled out, shaped for what the data is for.\n\n"
      "Usage: tada <command> [arguments and options]\n\nCommands:\n",
      kVersion);
  std::vector<std::vector<std::string>> rows;
  for (const Command& command : Commands())
    rows.push_back({"  " + std::string(command.name), std::string(command.summary)});
  help += AlignColumns(rows, {});
  help +=
      "\nA first look:\n"
      "  tada inspect people.csv --write-plan tada.toml    # profiles columns and drafts a plan\n"
      "  tada audit release.csv --quasi age,zip -k 10      # verifies any release\n"
      "\n'tada <command> --help' says more; 'tada --version' prints the version.\n";
  return help;
}

Command MakeHelpCommand() {
  return {.name = "help",
          .summary = "show help on a command",
          .description = "Show help on the program or on one command, as --help does.",
          .usage = "[<command>]",
          .max_operands = 1,
          .examples = {{"What an audit looks at", "tada help audit"}},
          .exits = {{0, "shown"}, {2, "no such command"}},
          .run = &RunHelp};
}

}  // namespace tada
