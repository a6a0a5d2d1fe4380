#pragma once

// The audit's table of characters (made by scripts/fold_table): what becomes of each, and the classes by which marks are ordered.
// Numbers are in base 36, records end in `;`.

#include <string_view>

namespace tada {

extern const std::string_view kFoldTable;
extern const std::string_view kMarkTable;

}  // namespace tada
