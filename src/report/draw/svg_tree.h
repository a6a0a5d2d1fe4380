#pragma once

#include <string>

#include "base/note_section.h"

namespace tada {

/// A tree as inline SVG, its roots on the left, one box per node.
std::string DrawTree(const TreeDiagram& tree);

}  // namespace tada
