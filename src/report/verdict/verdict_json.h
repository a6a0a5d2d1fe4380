#pragma once

#include <string>

#include "audit/audit.h"

namespace tada {

/// A verdict for machines: what `tada audit --json` prints (docs/formats.md). One object, indented, with a line end.
std::string VerdictJson(const Verdict& verdict);

}  // namespace tada
