#pragma once

// The option table: every option of every command, described once (style: "a parameter is described once"). The command
// line's parser, its help, the man page, shell completion, the plan file and the documentation are drawn from it.
//   command option   an entry of this table, taken by the commands it names.
//   plan option      one that may stand in a plan file too, under the same name.
//   method option    belongs to a method and is described in its registry entry; `anonymize` takes those of all methods
//                    and refuses the ones that the chosen method does not know.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/option.h"

namespace tada {

struct OptionEntry {
  OptionSpec spec;
  std::vector<std::string_view> commands;  ///< that take it
  bool in_plan = false;                    ///< may stand in a plan file
  /// Commands that take it only so that one line of options serves them and `anonymize`; help does not list it there.
  std::vector<std::string_view> tolerated_by = {};
};

/// All command options, in the order in which help shows them.
std::span<const OptionEntry> OptionTable();

/// The entry of that name that `command` takes or tolerates; null if there is none, as for a method's option.
const OptionEntry* FindOption(std::string_view command, std::string_view name);

/// The commands that take an option of that name, methods' options too, in the order of the table; empty if none does.
std::vector<std::string> CommandsTaking(std::string_view option);

/// The options that `command` takes, in the order of the table; methods' options at the end, each once, for the commands
/// that run a method. Tolerated options only if `with_tolerated`.
std::vector<OptionSpec> OptionsOfCommand(std::string_view command, bool with_tolerated);

/// The options that may stand in a plan file.
std::vector<OptionSpec> PlanOptions();

/// The methods that take an option of that name; empty if none does.
std::vector<std::string> MethodsTaking(std::string_view option);

/// A known name to propose for `word`: one that begins with it, or the nearest by edit distance.
std::optional<std::string> SuggestName(std::string_view word, const std::vector<std::string>& known);

/// Checks every value that a plan is made of against its spec: the one of `anonymize`, a method's among them, and for what
/// only other commands take, theirs. A name that none takes is an error that proposes the nearest.
Status ValidateValues(const OptionValues& values);

/// The items of a list as the command line writes it: separated by commas, outer blanks dropped. An item in double quotes
/// is taken as it is ("" inside stands for one quote); '' and "" are empty items.
Result<std::vector<std::string>> SplitList(std::string_view text);
/// The text that SplitList takes back to these items.
std::string JoinList(const std::vector<std::string>& items);

}  // namespace tada
