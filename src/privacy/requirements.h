#pragma once

// The list of requirements: the one place where a requirement is named. Options and help, plans, the checker, reports,
// verdicts, `tada methods` and the property tests read it. How to add one: docs/hacking.md.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/option.h"
#include "privacy/model.h"
#include "privacy/requirement.h"

namespace tada {

struct RequirementOption {
  OptionSpec spec;
  std::vector<std::string_view> commands;  ///< that take it
};

/// A value of an option, as a plan file or a command line would give it.
struct WrittenOption {
  std::string_view name;
  std::vector<std::string> values;
  bool in_command = true;  ///< whether a command line needs it; a plan file names it anyway
};

struct RequirementEntry {
  std::string_view name;  ///< "k"; of a demand also its name in Requirement::more
  std::vector<RequirementOption> options;
  std::vector<std::pair<std::string_view, std::string_view>> meanings;  ///< option and sentence, for `tada methods`
  /// Overrides the requirement by the values that were given.
  Status (*read)(const OptionValues& values, Requirement& requirement);
  /// The values that read() would make the requirement from; nothing if it is not asked.
  std::vector<WrittenOption> (*write)(const Requirement& requirement, bool has_sensitive);
  /// Whether the parameters make sense by themselves.
  Status (*check)(const Requirement& requirement, bool has_sensitive);
  /// What every group holds, in words: "at least 3 different values of disease"; "" if it asks for nothing.
  std::string (*words)(const Requirement& requirement, const std::string& sensitive);
  /// What two sets of rows meet together if each meets its own: weakens `weaker` to what `other` allows.
  void (*weaken)(const Requirement& other, Requirement& weaker);
  /// The models that groups of these rows must meet; none if it asks for nothing.
  std::vector<std::unique_ptr<PrivacyModel>> (*bind)(const Requirement& requirement, const Binding& binding);
  /// What was asked for and has no effect, in words; nullptr if there is no such thing.
  std::string (*idle)(const Requirement& requirement) = nullptr;
};

/// All requirements, in the order in which they are shown.
std::span<const RequirementEntry> Requirements();

/// Of all entries, in their order.
Status ReadRequirement(const OptionValues& values, Requirement& requirement);
std::vector<WrittenOption> WriteRequirement(const Requirement& requirement, bool has_sensitive);
Status CheckRequirement(const Requirement& requirement, bool has_sensitive);
/// The options by which a requirement is given.
std::vector<OptionSpec> RequirementOptionSpecs();
/// Whether one of them is among the values.
bool AsksForRequirement(const OptionValues& values);
/// What two sets of rows meet together if each meets its own.
Requirement Weaker(const Requirement& a, const Requirement& b);
/// What a requirement asks for that has no effect, in words; "" if all of it has one.
std::string IdleRequirement(const Requirement& requirement);

/// Puts one more entry into the list for as long as it lives, so that tests can ask every method for a requirement that
/// no method was written for. Pre: nobody reads the list meanwhile.
class AddedRequirement {
 public:
  explicit AddedRequirement(RequirementEntry entry);
  ~AddedRequirement();
  AddedRequirement(const AddedRequirement&) = delete;
  AddedRequirement& operator=(const AddedRequirement&) = delete;
};

}  // namespace tada
