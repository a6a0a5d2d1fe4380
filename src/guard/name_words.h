#pragma once

// Words in the names of columns that say what identifies: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
// Swedish, and some in Russian and Chinese. Without accents, in small letters (guard/name_parts.h).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guard/identity.h"

namespace tada {

struct NameHint {
  Identity identity = Identity::kOther;
  std::string_view word;
  bool weak = false;   ///< `nr`, `case`: only values that look like it make it one
  bool thing = false;  ///< `country_id`: it numbers something that people share
  bool birth = false;  ///< of a date: somebody's birth
  bool exact = false;  ///< of a place: an address, which is one household's
};

/// What the name of a column says about who somebody is.
std::optional<NameHint> IdentityOfName(const std::vector<std::string>& parts);

/// Whether a name says that a column counts, measures or classifies: `account_length`, `phone_type`.
bool NamesAMeasure(const std::vector<std::string>& parts);

}  // namespace tada
