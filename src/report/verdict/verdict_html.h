#pragma once

// A verdict for people: the page that `tada audit --report` writes. It shows released cells and row numbers of the file
// that was audited, and an example where a cell does not cover its original; so it is as confidential as the original
// when there was one, and says so.

#include <string>

#include "audit/audit.h"

namespace tada {

/// The page. `release` and `original` name the files; `original` is empty if there was none.
std::string VerdictHtml(const Verdict& verdict, const std::string& release, const std::string& original);

}  // namespace tada
