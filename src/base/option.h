#pragma once

// Options, described once: beside the command or method that takes them, or in a group that several commands share
// (plan/option_groups.h). One OptionSpec feeds the command line's parser, its help, the man page, shell completion, the plan
// file and the Python signature.
//   spec     what an option is called, takes and means.      values   what somebody gave.

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tada {

enum class OptionType { kFlag, kInteger, kReal, kText, kList, kChoice };

struct OptionSpec {
  std::string_view name;  ///< without dashes: "keep-order"
  char letter = 0;        ///< 'k' for -k; 0 for none
  OptionType type = OptionType::kText;
  std::string_view value_name = {};                  ///< what help shows behind the name: "rows"
  std::string default_text = {};                     ///< as a user would write it; "" for none
  std::optional<double> minimum = {}, maximum = {};  ///< of a number
  std::vector<std::string_view> choices = {};        ///< of a kChoice
  std::string_view section = {};                     ///< heading in help: "Requirement"
  std::string_view help = {};                        ///< one sentence
  bool blank_is_item = false;  ///< of a kList: "" on the command line is an item, not an empty list
  bool in_plan = false;        ///< may stand in a plan file too, under the same name
  bool of_method = false;      ///< of a method, not of the command itself
  bool listed = true;  ///< off: taken only so that one line of options serves several commands; help does not show it
};
using OptionSpecs = std::vector<OptionSpec>;

/// A default as a user would write it, from the member that holds it.
template <class T>
std::string DefaultText(const T& value) {
  return fmt::format("{}", value);
}

/// Groups of options, put together: what a command takes.
OptionSpecs Join(std::initializer_list<OptionSpecs> groups);
/// Those of these names, in the order of the group. Pre: it has them.
OptionSpecs Only(const OptionSpecs& group, std::initializer_list<std::string_view> names);
/// All but those of these names. Pre: it has them.
OptionSpecs Without(const OptionSpecs& group, std::initializer_list<std::string_view> names);
/// The same, not listed.
OptionSpecs NotListed(OptionSpecs group);
/// An option that takes a text.
OptionSpec TextOption(std::string_view name, std::string_view value_name, std::string_view section,
                      std::string_view help);
/// The same with other words: what an option of several commands means for one of them.
OptionSpec WithHelp(OptionSpec spec, std::string_view help);
/// The option of that name; null if there is none.
const OptionSpec* FindOption(const OptionSpecs& specs, std::string_view name);

/// What was given, by option name. A list option holds its items; a flag holds "true" or "false".
class OptionValues {
 public:
  void Set(std::string_view name, std::vector<std::string> values) { values_[std::string(name)] = std::move(values); }
  bool Has(std::string_view name) const { return values_.find(name) != values_.end(); }
  const std::vector<std::string>& List(std::string_view name) const;
  /// The single value; "" when absent.
  std::string Text(std::string_view name) const;
  bool Flag(std::string_view name) const { return Text(name) == "true"; }
  int64_t Integer(std::string_view name, int64_t otherwise) const;
  double Real(std::string_view name, double otherwise) const;
  /// Takes every value of `stronger`, which overrides what is here.
  void Override(const OptionValues& stronger);
  const std::map<std::string, std::vector<std::string>, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// Checks `text` against the spec's type, limits and choices; the error names the option and what would be right.
Status ValidateOption(const OptionSpec& spec, std::string_view text);

/// The same for every value; errors too: a name that no spec has, several values where one is taken.
Status ValidateValues(const OptionSpecs& specs, const OptionValues& values);

/// The known name nearest to `word` by edit distance, if any is near enough to suggest.
std::optional<std::string> NearestName(std::string_view word, const std::vector<std::string>& known);
/// A known name to propose for `word`: one that begins with it, or the nearest by edit distance, if any is near enough.
std::optional<std::string> SuggestName(std::string_view word, const std::vector<std::string>& known);

/// The items of a list as the command line writes it: separated by commas, outer blanks dropped. An item in double quotes
/// is taken as it is ("" inside stands for one quote); '' and "" are empty items.
Result<std::vector<std::string>> SplitList(std::string_view text);
/// The text that SplitList takes back to these items.
std::string JoinList(const std::vector<std::string>& items);

}  // namespace tada
