#pragma once

// The name of a column, taken apart: cut at everything but letters and digits, and before a capital letter that follows a small
// one; in small letters, without accents (`Prénom`, `prenom`; `birthDate`, `birth_date`: birth, date).

#include <string>
#include <string_view>
#include <vector>

namespace tada {

/// At least one part, which is empty if the name is.
std::vector<std::string> NameParts(std::string_view name);

/// Whether a word is one of the parts, or, if it has five letters or more, stands anywhere in the name written together.
bool NameHas(const std::vector<std::string>& parts, std::string_view word);

}  // namespace tada
