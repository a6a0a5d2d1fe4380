#pragma once

// A verdict in words, for people, and as JSON, for machines.

#include <string>
#include <string_view>

#include "audit/audit.h"

namespace tada {

/// Several lines, the verdict first, each line ended. Only the worst class is shown with its cells; no original value is
/// shown but in the examples of cells that do not cover one.
std::string VerdictText(const Verdict& verdict);

/// One JSON object, indented by two, without an end of line. Names follow the report's: `passed`, `requirement`,
/// `reached`, `breaking`, `worst`, `class_sizes`, `risk`, `original`, `problems`, `notes`.
std::string VerdictJson(const Verdict& verdict);

/// "given", "same_order", "found", "none", "undecided" or "not_checked".
std::string_view RowMatchName(RowMatch match);

}  // namespace tada
