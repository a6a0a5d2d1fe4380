#include "cli/command_line.h"

#include <algorithm>

#include "cli/commands.h"

namespace tada {
namespace {

using Ask = ParsedCommandLine::Ask;

bool IsHelp(const std::string& word) { return word == "--help" || word == "-h"; }
bool IsVersion(const std::string& word) { return word == "--version" || word == "-V"; }

/// Somebody who asks for help gets it, whatever else is wrong with the line.
Ask WhatIsAsked(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--") break;
    if (IsHelp(word)) return Ask::kShowHelp;
    if (IsVersion(word)) return Ask::kShowVersion;
  }
  return Ask::kRun;
}

/// The commands that take an option of that name; empty if none does.
std::vector<std::string_view> CommandsTaking(std::string_view option) {
  std::vector<std::string_view> names;
  for (const Command& command : Commands()) {
    const OptionSpec* spec = FindOption(command.options, option);
    if (spec != nullptr && spec->listed) names.push_back(command.name);
  }
  return names;
}

class OptionReader {
 public:
  OptionReader(const Command& command, const std::vector<std::string>& arguments)
      : command_(command), arguments_(arguments), specs_(command.options) {}

  Result<ParsedCommandLine> Read() {
    line_.command = &command_;
    bool options_ended = false;
    for (next_ = 1; next_ < arguments_.size();) {
      const std::string& word = arguments_[next_++];
      if (options_ended || word == "-" || !word.starts_with('-')) {
        line_.operands.push_back(word);
      } else if (word == "--") {
        options_ended = true;
      } else {
        TADA_CHECK_OK(word.starts_with("--") ? ReadLong(word) : ReadLetters(word));
      }
    }
    TADA_CHECK_OK(CheckOperands());
    return std::move(line_);
  }

 private:
  Status ReadLong(const std::string& word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const auto spec = std::find_if(specs_.begin(), specs_.end(), [&](const auto& s) { return s.name == name; });
    if (spec == specs_.end()) return Unknown(name);
    if (equals != std::string::npos) return Take(*spec, word.substr(equals + 1));
    if (spec->type != OptionType::kFlag) return TakeNext(*spec);
    const bool has_word = next_ < arguments_.size() && arguments_[next_] != "true" && arguments_[next_] != "false" &&
                          !spec->choices.empty() && ValidateOption(*spec, arguments_[next_]).ok();
    return Take(*spec, has_word ? arguments_[next_++] : "true");
  }

  Status ReadLetters(const std::string& word) {
    for (size_t at = 1; at < word.size(); ++at) {
      const auto spec = std::find_if(specs_.begin(), specs_.end(), [&](const auto& s) { return s.letter == word[at]; });
      if (spec == specs_.end()) return UnknownLetter(word, word[at]);
      if (spec->type == OptionType::kFlag) {
        TADA_CHECK_OK(Take(*spec, "true"));
        continue;
      }
      if (at + 1 == word.size()) return TakeNext(*spec);
      return Take(*spec, word.substr(at + (word[at + 1] == '=' ? 2 : 1)));
    }
    return Ok();
  }

  Status TakeNext(const OptionSpec& spec) {
    if (next_ == arguments_.size() || LooksLikeAnOption(arguments_[next_])) {
      return InvalidArgument("--{} needs a value: <{}>", spec.name, spec.value_name).WithHint(std::string(spec.help));
    }
    return Take(spec, arguments_[next_++]);
  }

  bool LooksLikeAnOption(const std::string& word) const {
    if (!word.starts_with("--")) return false;
    const std::string name = word.substr(2, word.find('=') == std::string::npos ? word.npos : word.find('=') - 2);
    return std::any_of(specs_.begin(), specs_.end(), [&](const auto& s) { return s.name == name; });
  }

  Status Take(const OptionSpec& spec, const std::string& text) {
    if (spec.type != OptionType::kList) {
      TADA_CHECK_OK(ValidateOption(spec, text));
      line_.options.Set(spec.name, {text});
      return Ok();
    }
    std::vector<std::string> items = line_.options.List(spec.name);
    if (!text.empty() || spec.blank_is_item) {
      auto split = SplitList(text);
      if (!split.ok()) return InvalidArgument("--{}: {}", spec.name, split.error().message);
      for (std::string& item : *split) items.push_back(std::move(item));
    }
    line_.options.Set(spec.name, std::move(items));
    return Ok();
  }

  Error Unknown(const std::string& name) const {
    std::vector<std::string> known;
    for (const OptionSpec& spec : specs_) known.emplace_back(spec.name);
    if (const auto elsewhere = CommandsTaking(name); !elsewhere.empty()) {
      return InvalidArgument("--{} is not an option of 'tada {}'", name, command_.name)
          .WithHint(fmt::format("It is one of: {}.", fmt::join(elsewhere, ", ")));
    }
    const auto nearest = SuggestName(name, known);
    return InvalidArgument("Unknown option of 'tada {}': --{}", command_.name, name)
        .WithHint(nearest ? fmt::format("Did you mean --{}?", *nearest)
                          : fmt::format("'tada {} --help' lists the options.", command_.name));
  }

  Error UnknownLetter(const std::string& word, char letter) const {
    std::vector<std::string> known;
    for (const OptionSpec& spec : specs_) known.emplace_back(spec.name);
    const auto nearest = SuggestName(std::string_view(word).substr(1), known);
    return InvalidArgument("Unknown option of 'tada {}': -{}", command_.name,
                           word.size() > 2 ? word.substr(1) : std::string(1, letter))
        .WithHint(nearest && word.size() > 2 ? fmt::format("Did you mean --{}?", *nearest)
                                             : fmt::format("'tada {} --help' lists the options.", command_.name));
  }

  Status CheckOperands() const {
    const size_t given = line_.operands.size();
    const std::string usage = fmt::format("Usage: tada {} {}", command_.name, command_.usage);
    if (given < command_.min_operands)
      return InvalidArgument("'tada {}' lacks an argument", command_.name).WithHint(usage);
    if (given > command_.max_operands) {
      return InvalidArgument("'tada {}' does not know what to do with another argument: {}", command_.name,
                             line_.operands[command_.max_operands])
          .WithHint(usage);
    }
    const auto& choices = command_.operand_choices;
    for (const std::string& operand : line_.operands) {
      if (choices.empty() || std::find(choices.begin(), choices.end(), operand) != choices.end()) continue;
      return InvalidArgument("'tada {}' takes one of {}, not '{}'", command_.name, fmt::join(choices, ", "), operand)
          .WithHint(usage);
    }
    return Ok();
  }

  const Command& command_;
  const std::vector<std::string>& arguments_;
  const OptionSpecs& specs_;
  size_t next_ = 1;
  ParsedCommandLine line_;
};

}  // namespace

Error UnknownCommand(const std::string& word) {
  std::vector<std::string> known;
  for (const Command& command : Commands()) known.emplace_back(command.name);
  const auto nearest = SuggestName(word, known);
  return InvalidArgument("Unknown command: {}", word)
      .WithHint(nearest ? fmt::format("Did you mean 'tada {}'?", *nearest) : "'tada --help' lists the commands.");
}

Result<ParsedCommandLine> ParseCommandLine(const std::vector<std::string>& arguments) {
  ParsedCommandLine line;
  line.ask = WhatIsAsked(arguments);
  if (arguments.empty()) {
    return InvalidArgument("No command is given").WithHint("'tada --help' lists the commands.");
  }
  const std::string& word = arguments.front();
  line.command = FindCommand(word);
  if (line.command == nullptr && line.ask != Ask::kRun && word.starts_with('-')) return line;
  if (word.starts_with('-')) {
    return InvalidArgument("The command comes before its options: {}", word)
        .WithHint("As in: tada anonymize <input> -o <output>; 'tada --help' lists the commands.");
  }
  if (line.command == nullptr) return UnknownCommand(word);
  if (line.ask != Ask::kRun) return line;
  return OptionReader(*line.command, arguments).Read();
}

}  // namespace tada
