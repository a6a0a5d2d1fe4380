#include "cli/completion.h"

#include "cli/commands.h"
#include "plan/methods.h"

namespace tada {
namespace {

/// The words that an option's value may be; empty for free text and files.
std::vector<std::string> ValueWords(const OptionSpec& spec) {
  if (spec.name == "method") return MethodNames();
  if (spec.name == "diversity") return {"distinct", "entropy", "recursive:3"};
  return {spec.choices.begin(), spec.choices.end()};
}

std::vector<std::string> OperandWords(const Command& command) {
  std::vector<std::string> words(command.operand_choices.begin(), command.operand_choices.end());
  if (command.name == "help") {
    for (const Command& other : Commands()) words.emplace_back(other.name);
  }
  return words;
}

std::string CommandWords() {
  std::vector<std::string_view> names;
  for (const Command& command : Commands()) names.push_back(command.name);
  return fmt::format("{} --help --version", fmt::join(names, " "));
}

/// The words that options of a command are completed to.
std::string OptionWords(const Command& command) {
  std::string words = "--help";
  for (const OptionSpec& spec : ListedOptions(command)) words += fmt::format(" --{}", spec.name);
  return words;
}

/// `case` branches that tell the words behind an option that takes one of a few.
std::string ValueCases() {
  std::string cases;
  for (const OptionSpec& spec : ListedOptions(*FindCommand("anonymize"))) {
    const auto words = ValueWords(spec);
    if (!words.empty()) cases += fmt::format("    --{}) words=\"{}\" ;;\n", spec.name, fmt::join(words, " "));
  }
  return cases;
}

std::string CommandCases() {
  std::string cases;
  for (const Command& command : Commands()) {
    cases += fmt::format("      {}) words=\"{}\"; operands=\"{}\" ;;\n", command.name, OptionWords(command),
                         fmt::join(OperandWords(command), " "));
  }
  return cases;
}

/// Bash: words that begin with a dash complete to options, others to the command's own words or to files.
std::string BashScript() {
  return fmt::format(R"(# bash completion of tada: source it, or put it into bash-completion's folder
_tada() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words="" operands=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$current"))
    return
  fi
  case "$previous" in
{}  esac
  if [ -z "$words" ]; then
    case "${{COMP_WORDS[1]}}" in
{}    esac
    case "$current" in
      -*) ;;
      *) words="$operands" ;;
    esac
  fi
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -F _tada tada
)",
                     CommandWords(), ValueCases(), CommandCases());
}

/// Zsh has an interpreter of bash completions of its own.
std::string ZshScript() {
  return "#compdef tada\n# zsh completion of tada: put it into a folder of $fpath as _tada, or source it\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         BashScript();
}

/// A text in single quotes, for fish.
std::string FishQuote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string FishOption(const Command& command, const OptionSpec& spec) {
  std::string line = fmt::format("complete -c tada -n '__fish_seen_subcommand_from {}' -l {}", command.name, spec.name);
  if (spec.letter != 0) line += fmt::format(" -s {}", spec.letter);
  if (spec.type != OptionType::kFlag) line += " -r";
  if (const auto words = ValueWords(spec); !words.empty()) line += fmt::format(" -f -a '{}'", fmt::join(words, " "));
  return fmt::format("{} -d {}\n", line, FishQuote(spec.help));
}

std::string FishScript() {
  std::string script = "# fish completion of tada: put it into ~/.config/fish/completions/tada.fish\n";
  for (const Command& command : Commands()) {
    script += fmt::format("complete -c tada -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                          FishQuote(command.summary));
    if (const auto words = OperandWords(command); !words.empty()) {
      script += fmt::format("complete -c tada -n '__fish_seen_subcommand_from {}' -f -a '{}'\n", command.name,
                            fmt::join(words, " "));
    }
    for (const OptionSpec& spec : ListedOptions(command)) script += FishOption(command, spec);
  }
  return script;
}

Result<int> RunCompletion(const ParsedCommandLine& line, Console& console) {
  console.out << CompletionScript(line.operands.front());
  return 0;
}

}  // namespace

std::string CompletionScript(std::string_view shell) {
  if (shell == "bash") return BashScript();
  if (shell == "zsh") return ZshScript();
  return FishScript();
}

Command MakeCompletionCommand() {
  return {.name = "completion",
          .summary = "print a completion script for bash, zsh or fish",
          .description = "Print a script that lets a shell complete commands, options and their values.",
          .usage = "bash|zsh|fish",
          .min_operands = 1,
          .max_operands = 1,
          .operand_choices = {"bash", "zsh", "fish"},
          .examples = {{"In this shell, now", "source <(tada completion bash)"},
                       {"For every fish to come", "tada completion fish > ~/.config/fish/completions/tada.fish"}},
          .exits = {{0, "printed"}, {2, "no such shell"}, {5, "output cannot be written"}},
          .run = &RunCompletion};
}

}  // namespace tada
