#pragma once

// The verdicts of audits that looked at whole classes each, but at some of the classes only, added up: what one audit of the
// whole release says. Cells of quasi-identifiers stay behind: verdicts that travel hold numbers, and spellings of released sensitive values.

#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.h"

namespace tada {

std::string PackVerdict(const Verdict& verdict);
Verdict UnpackVerdict(std::string_view packed);

/// Pre: all of them asked for the same of the same columns, and no class is in two. What was asked, and the risks that
/// depend on it, are the caller's to fill in.
Verdict MergeVerdicts(const std::vector<Verdict>& parts);
/// Pre: verdict.requirement and the sizes of classes are known.
void AddRisks(Verdict& verdict);

}  // namespace tada
