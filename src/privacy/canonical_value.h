#pragma once

// Sensitive values as they are counted. `flu`, `Flu ` and `FLU` are one disease, however a file spells it; counted as three they
// would make a class look diverse that is not. Two texts are one value if they have the same canonical form:
//   - Unicode's NFKC_Casefold: compatible characters are one, upper and lower case are one, and characters that show nothing
//     (zero-width, soft hyphens) are left out; then without outer blanks;
//   - a number is its value: `7`, `7.0`, `+7` and `7e0` are one;
//   - a word for "there is no value" is "missing": IsMissingWord().
// The audit does the same by code and tables of its own (audit/checks/folding.h).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/column.h"

namespace tada {

/// The canonical form; texts are one value if theirs are equal. Of every missing word it is "".
std::string CanonicalValue(std::string_view text);

/// The values of a column as they are counted, numbered in the order of the column; "missing" is the first.
struct CountedValues {
  std::vector<Code> value_of_code;
  Code count = 0;
  std::optional<Code> missing;  ///< the number of "missing", if it occurs
};

/// `exact`: texts are compared as they are written, byte for byte; only the spellings of "missing" that the column was read with are one.
CountedValues CountValues(const Column& column, bool exact);

}  // namespace tada
