#pragma once

// Releases of one table side by side, for a terminal, for machines and as an HTML page. All of it is confidential: it shows figures of
// the original.

#include <string>
#include <vector>

#include "compare/compare.h"

namespace tada {

/// Lines of figures under a heading: what they are, then the original's, then one per release. "" where there is none.
struct ComparedLines {
  std::string title, lead;
  std::vector<std::vector<std::string>> lines;
};
std::vector<ComparedLines> CompareLines(const Comparison& comparison);

std::string CompareText(const Comparison& comparison);
std::string CompareJson(const Comparison& comparison);
std::string CompareHtml(const Comparison& comparison);

}  // namespace tada
