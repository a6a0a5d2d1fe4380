#pragma once

// The options of every command that works on tables, for whoever adapts them: command line, Python, the C interface. An option is
// described beside its command (commands/*/..._options.cc), in a group that several commands share (plan/option_groups.h), beside
// its requirement (privacy/models) or its method (partition); this is the list that collects them.

#include <string_view>
#include <vector>

#include "base/option.h"

namespace tada {

/// The commands, by name.
std::vector<std::string_view> CommandNames();

/// What a command takes, what it only tolerates too (OptionSpec::listed). Pre: there is such a command.
const OptionSpecs& OptionsOfCommand(std::string_view command);

}  // namespace tada
