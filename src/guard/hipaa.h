#pragma once

// The Safe Harbor rule (45 CFR 164.514(b)(2)): eighteen classes of identifiers that have to go, two of them with exceptions that
// a release may use: ages below 90, and the first three digits of a ZIP code whose area has more than 20,000 people.

#include <string>
#include <string_view>
#include <vector>

#include "guard/identity.h"
#include "table/table.h"

namespace tada {

/// A column with something of one of the classes.
struct HipaaColumn {
  Identity identity = Identity::kOther;
  std::string column, evidence;
  double confidence = 0;
};

/// What a table has of each class, in the order of the rule; a column may be in several.
std::vector<HipaaColumn> FindHipaa(const Table& table);

/// Whether the first three digits of a ZIP code name an area of 20,000 people or fewer (Census 2000, as the Department of Health
/// and Human Services lists them); such codes are to be written 000.
bool IsRestrictedZip3(std::string_view zip);

/// Whether a column's name says that it holds ages, or ZIP codes.
bool NamesAge(std::string_view column);
bool NamesZip(std::string_view column);

}  // namespace tada
