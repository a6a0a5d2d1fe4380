#pragma once

// A composition in words, for people, and as JSON, for machines. Both are for the data owner: the worst regions show what an
// attacker would learn.

#include <string>

#include "compose/compose.h"

namespace tada {

/// Several lines, the verdict first, each line ended.
std::string ComposeText(const Composition& composition);

/// One JSON object, indented by two, with a line end.
std::string ComposeJson(const Composition& composition);

}  // namespace tada
