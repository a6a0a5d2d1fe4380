#pragma once

#include <string>

#include "audit/audit.h"

namespace tada {

/// A verdict for people: what `tada audit` prints.
std::string VerdictText(const Verdict& verdict, const std::string& release, const std::string& original);

/// Counts in bins that double (1, 2-3, 4-7, ...), as lines with bars; `sizes` holds sizes and how many classes have them.
std::string SizeHistogram(const std::vector<std::pair<uint64_t, uint64_t>>& sizes);

}  // namespace tada
