// The man page, from the list of commands and the option table: `tada man > tada.1`.

#include "cli/man.h"

#include "base/version.h"
#include "cli/help.h"

namespace tada {
namespace {

/// Text for roff: backslashes and dashes are escaped, and no line begins with a dot or a quote.
std::string Roff(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\')
      roff += "\\e";
    else if (c == '-')
      roff += "\\-";
    else
      roff += c;
  }
  if (roff.starts_with('.') || roff.starts_with('\'')) roff.insert(0, "\\&");
  return roff;
}

void AddCommand(std::string& page, const Command& command) {
  page += fmt::format(".SS tada {} {}\n{}\n", Roff(command.name), Roff(command.usage), Roff(command.description));
  for (const OptionSection& section : OptionSections(command)) {
    page += fmt::format(".PP\n{}:\n", Roff(section.title));
    for (const OptionSpec& spec : section.options) {
      page += fmt::format(".TP\n.B {}\n{}\n", Roff(OptionForms(spec)), Roff(OptionMeaning(spec)));
    }
  }
  if (!command.note.empty()) page += fmt::format(".PP\n{}\n", Roff(command.note));
  for (const CommandExample& example : command.examples) {
    page += fmt::format(".PP\n{}:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", Roff(example.comment), Roff(example.line));
  }
}

Result<int> RunMan(const ParsedCommandLine&, Console& console) {
  console.out << ManPage();
  return 0;
}

}  // namespace

std::string ManPage() {
  std::string page = fmt::format(".TH TADA 1 \"\" \"tada {}\" \"User commands\"\n", kVersion);
  page += ".SH NAME\ntada \\- target\\-aware data anonymization\n";
  page += ".SH SYNOPSIS\n.B tada\n.I command\n[arguments and options]\n";
  page +=
      ".SH DESCRIPTION\nReleases tables of people so that nobody can be singled out, shaped for what the data is for, "
      "and "
      "verifies releases.\n";
  page += ".SH COMMANDS\n";
  for (const Command& command : Commands()) AddCommand(page, command);
  page += ".SH EXIT STATUS\n";
  page += ".TP\n.B 0\nreleased and audited, or: the audit passed\n";
  for (const auto& [code, meaning] : CommonExits({{1, "the audit failed: the release breaks the requirement"}})) {
    page += fmt::format(".TP\n.B {}\n{}\n", code, Roff(meaning));
  }
  return page;
}

Command MakeManCommand() {
  return {.name = "man",
          .summary = "print the man page",
          .description = "Print the man page in roff, from the same table as --help.",
          .usage = "",
          .examples = {{"Install it for yourself", "tada man > ~/.local/share/man/man1/tada.1"},
                       {"Read it without installing it", "tada man | man -l -"}},
          .exits = {{0, "printed"}, {5, "output cannot be written"}},
          .run = &RunMan};
}

}  // namespace tada
