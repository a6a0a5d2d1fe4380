#pragma once

// What requirements with a threshold have in common: how `[COLUMN=]LIMIT[:KIND]` is read, written, checked and bound.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.h"
#include "privacy/requirement_entry.h"

namespace tada {

/// How the demands of an option are written.
struct DemandForm {
  std::string_view option;                   ///< "closeness"; also the name of its demands
  std::vector<std::string_view> kinds = {};  ///< behind the colon; none: there is no kind
  bool takes_values = false;                 ///< sensitive values stand behind the colon, and in the items that follow
  std::string_view example;                  ///< "--closeness salary=0.2:ordered"
};

/// Reads the items of the option, if it was given; they replace what was asked before.
Status ReadDemands(const OptionValues& values, const DemandForm& form, Requirement& requirement);

/// The items that ReadDemands() would read them from; nothing if there are none.
std::vector<WrittenOption> WriteDemands(const Requirement& requirement, std::string_view option);

/// Refuses two demands for one column, and any without a sensitive column.
Status CheckDemands(const Requirement& requirement, std::string_view option, bool has_sensitive);

/// The same, and refuses a limit of 0.
Status CheckLimits(const Requirement& requirement, std::string_view option, bool has_sensitive);

std::vector<Demand> DemandsOf(const Requirement& requirement, std::string_view option);

/// What is asked of a column: what names it, else what names none. Null if nothing is.
const Demand* DemandFor(const Requirement& requirement, std::string_view option, std::string_view column);

/// Its kind, or what is usual for the column: ordered for numbers and ordinal columns, else equal.
std::string DemandKind(const Demand& demand, const Column& column);

/// Weakens the demands of `weaker` to those that `other` has too, for the same column and of the same kind, with the larger limit, or the
/// smaller one. Two demands for different columns or of different kinds have nothing in common.
void WeakenDemands(const Requirement& other, std::string_view option, bool larger, Requirement& weaker);

/// Drops what is asked.
void DropDemands(std::string_view option, Requirement& requirement);

/// What stands in the words for people, column by column: "salary (0.2)".
std::string DemandWords(const Requirement& requirement, std::string_view option, const std::string& sensitive,
                        std::string (*words)(const Demand& demand, const std::string& column));

/// A model for each sensitive column that something is asked of.
template <class Make>
std::vector<std::unique_ptr<PrivacyModel>> BindDemands(const Requirement& requirement, std::string_view option,
                                                       const Binding& binding, const Make& make) {
  std::vector<std::unique_ptr<PrivacyModel>> models;
  for (size_t s = 0; s < binding.sensitive().size(); ++s) {
    const CountedColumn& column = binding.sensitive()[s];
    if (column.source == nullptr) continue;
    const Demand* demand = DemandFor(requirement, option, column.source->name());
    if (demand == nullptr) continue;
    if (auto model = make(*demand, s)) models.push_back(std::move(model));
  }
  return models;
}

/// The counts that groups are compared with, of one sensitive column.
struct ReferenceCounts {
  ReferenceCounts(const Binding& binding, size_t s);

  std::vector<uint64_t> counts;  ///< by value
  uint64_t members = 0;          ///< rows, or people
  uint64_t total = 0;            ///< of all counts: members, or more where people have several values
};

/// The values of a sensitive column that a text of an option means: those with its canonical form.
std::vector<Code> FindValues(const CountedColumn& column, const std::string& text);

/// The sum of a group's counts.
uint64_t Total(const ValueCounts& counts);

}  // namespace tada
