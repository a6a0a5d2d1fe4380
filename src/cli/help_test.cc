#include "cli/help.h"

#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/man.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Help, OfEveryCommandHasUsageExamplesOptionsAndExitStatus) {
  for (const Command& command : Commands()) {
    const std::string help = CommandHelp(command);
    EXPECT_TRUE(Has(help, fmt::format("Usage: tada {}", command.name))) << command.name;
    EXPECT_TRUE(Has(help, "Examples:\n  # ")) << command.name;
    EXPECT_TRUE(Has(help, "Exit status:\n  0 ")) << command.name;
    for (const OptionSpec& spec : ListedOptions(command)) {
      EXPECT_TRUE(Has(help, fmt::format("--{}", spec.name))) << command.name << " --" << spec.name;
    }
  }
}

TEST(Help, ExamplesAreCommandLinesThatParse) {
  for (const Command& command : Commands()) {
    for (const CommandExample& example : command.examples) {
      std::vector<std::string> words;
      const std::string_view line = example.line.substr(example.line.find("tada ") + 5);
      for (size_t at = 0; at < line.size();) {
        const size_t end = std::min(line.find(' ', at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end + 1;
        if (words.back() == "|" || words.back() == ">") break;
        if (words.back().ends_with(')')) words.back().pop_back();
      }
      if (words.back() == "|" || words.back() == ">") words.pop_back();
      const Result<ParsedCommandLine> parsed = ParseCommandLine(words);
      EXPECT_TRUE(parsed.ok()) << example.line << ": " << parsed.error().message;
    }
  }
}

TEST(Help, ShowsHowAnOptionIsWrittenAndItsDefault) {
  const OptionSpec& spec = *FindOption(FindCommand("anonymize")->options, "k");
  EXPECT_EQ(OptionForms(spec), "-k, --k <rows>");
  EXPECT_EQ(OptionMeaning(spec), "Set the smallest number of rows that may share a group. [default: 5]");
  EXPECT_EQ(OptionForms(*FindOption(FindCommand("anonymize")->options, "force")), "-f, --force");
}

TEST(Help, OfTheProgramListsEveryCommand) {
  for (const Command& command : Commands()) {
    EXPECT_TRUE(Has(ProgramHelp(), fmt::format("  {} ", command.name))) << command.name;
  }
}

TEST(Man, NamesEveryCommandAndOptionAndEscapesDashes) {
  const std::string page = ManPage();
  EXPECT_TRUE(page.starts_with(".TH TADA 1"));
  for (const Command& command : Commands()) EXPECT_TRUE(Has(page, fmt::format(".SS tada {}", command.name)));
  EXPECT_TRUE(Has(page, "\\-\\-keep\\-order"));
  EXPECT_FALSE(Has(page, " --"));
}

TEST(Completion, NamesEveryCommandAndOptionInEveryShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = CompletionScript(shell);
    for (const Command& command : Commands()) {
      EXPECT_TRUE(Has(script, command.name)) << shell;
      for (const OptionSpec& spec : ListedOptions(command)) EXPECT_TRUE(Has(script, spec.name)) << shell;
    }
  }
}

TEST(TextLayout, WrapsAtBlanksAndIndentsWhatFollows) {
  EXPECT_EQ(Wrap("one two three four", 9, 2), "one two\n  three\n  four");
  EXPECT_EQ(Wrap("incomprehensibilities", 5, 0), "incomprehensibilities");
}

TEST(TextLayout, AlignsByCharactersNotBytes) {
  EXPECT_EQ(AlignColumns({{"é", "1"}, {"ab", "22"}}, {false, true}), "é    1\nab  22\n");
}

}  // namespace
}  // namespace tada
