#pragma once

// The list of requirements: the one place where a requirement is named. Options and help, plans, the checker, reports,
// verdicts, `tada methods` and the property tests read it. How to add one: docs/hacking.md.

#include <span>
#include <string>
#include <vector>

#include "privacy/requirement_entry.h"

namespace tada {

/// All requirements, in the order in which they are shown.
std::span<const RequirementEntry> Requirements();

/// Of all entries, in their order.
Status ReadRequirement(const OptionValues& values, Requirement& requirement);
std::vector<WrittenOption> WriteRequirement(const Requirement& requirement, bool has_sensitive);
Status CheckRequirement(const Requirement& requirement, bool has_sensitive);
/// The options by which a requirement is given.
OptionSpecs RequirementOptionSpecs();
/// Whether one of them is among the values.
bool AsksForRequirement(const OptionValues& values);
/// The same requirement with a demand for each sensitive column where one named none; kInvalidArgument if one names a column that
/// is not sensitive.
Result<Requirement> ExpandDemands(const Requirement& requirement, const std::vector<std::string>& sensitive);
/// The same, with kinds; kInvalidArgument if something cannot be asked of a column.
Result<Requirement> ResolveDemands(const Requirement& requirement, std::span<const CountedColumn> sensitive);
/// What two sets of rows meet together if each meets its own. Pre: demands name their columns.
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
