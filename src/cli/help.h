#pragma once

// Help: what, examples, options by section, exit status; all from the list of commands and the option table.

#include <string>
#include <vector>

#include "base/option.h"
#include "cli/commands.h"

namespace tada {

/// What `tada --help` prints.
std::string ProgramHelp();

/// What `tada COMMAND --help` prints.
std::string CommandHelp(const Command& command);

/// Options that stand under one heading.
struct OptionSection {
  std::string title;
  std::vector<OptionSpec> options;
};

/// The options of a command by section, in the order of the table; a method's options form a section of their own.
std::vector<OptionSection> OptionSections(const Command& command);

/// How an option is written: "-k, --k <rows>".
std::string OptionForms(const OptionSpec& spec);

/// What an option means, with its choices, default and methods: "Smallest number ... [default: 5]".
std::string OptionMeaning(const OptionSpec& spec);

}  // namespace tada
