#pragma once

// How a requirement describes itself: one entry of the list (privacy/check/requirements.h), made in its file of privacy/models.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/option.h"
#include "privacy/model.h"
#include "privacy/requirement.h"

namespace tada {

/// A value of an option, as a plan file or a command line would give it.
struct WrittenOption {
  std::string_view name;
  std::vector<std::string> values;
  bool in_command = true;  ///< whether a command line needs it; a plan file names it anyway
};

struct RequirementEntry {
  std::string_view name;  ///< "k"; of a demand also its name in Requirement::more
  OptionSpecs options;    ///< each may stand in a plan; which commands take it, they say themselves
  std::vector<std::pair<std::string_view, std::string_view>> meanings;  ///< option and sentence, for `tada methods`
  /// Overrides the requirement by the values that were given.
  Status (*read)(const OptionValues& values, Requirement& requirement);
  /// The values that read() would make the requirement from; nothing if it is not asked.
  std::vector<WrittenOption> (*write)(const Requirement& requirement, bool has_sensitive);
  /// Whether the parameters make sense by themselves.
  Status (*check)(const Requirement& requirement, bool has_sensitive);
  /// What every group holds, in words: "at least 3 different values of disease"; "" if it asks for nothing.
  std::string (*words)(const Requirement& requirement, const std::string& sensitive);
  /// What that gives, in a sentence for somebody who answers for the data; "" if the words say it.
  std::string_view plain = "";
  /// What two sets of rows meet together if each meets its own: weakens `weaker` to what `other` allows.
  void (*weaken)(const Requirement& other, Requirement& weaker);
  /// The models that groups of these rows must meet; none if it asks for nothing.
  std::vector<std::unique_ptr<PrivacyModel>> (*bind)(const Requirement& requirement, const Binding& binding);
  /// Whether a demand can be made of a column, with its kind filled in; nullptr if it always can.
  Result<Demand> (*resolve)(const Demand& demand, const CountedColumn& column) = nullptr;
  /// What was asked for and has no effect, in words; nullptr if there is no such thing.
  std::string (*idle)(const Requirement& requirement) = nullptr;
};

}  // namespace tada
