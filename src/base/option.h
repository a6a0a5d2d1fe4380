#pragma once

// Options, described once. One OptionSpec feeds the command line's parser, its help, the man page, shell completion,
// the plan file, the Python signature and the web form.
//   spec     what an option is called, takes and means.      values   what somebody gave.

#include <cstdint>
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
  std::string_view value_name = {};                  ///< what help shows behind the name: "ROWS"
  std::string_view default_text = {};                ///< as a user would write it; "" for none
  std::optional<double> minimum = {}, maximum = {};  ///< of a number
  std::vector<std::string_view> choices = {};  ///< of a kChoice; of a kFlag, words that may follow it, as in json or json:3
  std::string_view section = {};                     ///< heading in help: "Requirement"
  std::string_view help = {};                        ///< one sentence
  bool blank_is_item = false;  ///< of a kList: "" on the command line is an item, not an empty list
};

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

/// Whether a word behind a flag belongs to it: `--progress json`, `--progress json:3`.
bool IsWordOfFlag(const OptionSpec& spec, std::string_view text);

/// The known name nearest to `word` by edit distance, if any is near enough to suggest.
std::optional<std::string> NearestName(std::string_view word, const std::vector<std::string>& known);

}  // namespace tada
