#pragma once

// Which texts of a sensitive column are one value, as the audit sees it: `flu`, `Flu ` and `FLU` are one disease. By code and tables
// of its own, from the definitions:
//   form      every character as Unicode's NFKC_Casefold has it, decomposed, marks in their order; without outer blanks. Texts with
//             one form are one value.
//   number    a form that is a decimal number is its value: `7`, `7.0` and `+7` are one.
//   missing   empty cells, the spellings that --missing names, and the words of a fixed list (NA, N/A, null ...) are one value,
//             which does not count towards l unless --missing-counts.
// With --exact-values texts are compared as they are written, and only the spellings of --missing are one value.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "privacy/requirement.h"
#include "table/column.h"

namespace tada {

/// What a text is compared by; "" for whatever means "missing".
std::string FoldedText(std::string_view text);

struct FoldedColumn {
  std::vector<uint32_t> value_of_code;  ///< numbered in the order of the column's codes
  uint32_t count = 0;
  std::optional<uint32_t> missing;  ///< the value that "missing" is, if it occurs
  bool missing_counts = false;      ///< towards l

  bool Counts(uint32_t value) const { return missing_counts || value != missing; }
};

/// How a requirement counts the values of a sensitive column: k, l and whatever else the audit verifies.
FoldedColumn FoldColumn(const Column& column, const Requirement& requirement);

/// The texts that count as another one, each with that one, the first of its value; with "" if they are missing. In order of codes.
std::vector<std::pair<std::string, std::string>> FoldedPairs(const Column& column, const FoldedColumn& folded);

}  // namespace tada
