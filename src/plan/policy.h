#pragma once

// A policy: rules that somebody else made and that a release has to follow, named by --profile. What it sets is in the plan, the table
// is changed before anything is done with it, and the finished file is checked; the report says rule by rule what came of it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tada {

struct Policy {
  std::string name;  ///< "" for none
  int64_t k = 1, l = 1;
  bool no_identifiers =
      false;  ///< none of the classes of guard/identity.h, whatever --allow says, and no place below a state
  bool top_ages = false;       ///< ages of 90 and more are one value
  bool zip3 = false;           ///< ZIP codes have three digits, those of small areas 000
  bool years = false;          ///< no date is finer than a year
  bool no_pseudonyms = false;  ///< neither pseudonyms nor shifted dates

  /// Whether it changes cells.
  bool changes_cells() const { return top_ages || zip3 || years; }
  /// In words, the first of which says what policy it is.
  std::vector<std::string> Rules() const;
};

/// "cms", "risk:0.09", "hipaa-safe-harbor", or the path of a TOML file; "" is no policy.
Result<Policy> ReadPolicy(const std::string& profile);

struct Plan;

/// kInvalidArgument if a plan has pseudonyms, shifted dates or a policy, for commands that do not know them.
Status RefuseProtection(const Plan& plan, std::string_view command);

/// The same of a plan that says --withhold, --clip, --importance or --recode.
Status RefuseRecoding(const Plan& plan, std::string_view command);

}  // namespace tada
