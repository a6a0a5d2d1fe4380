#pragma once

// A hierarchy as a TOML tree; the only file of this folder that sees toml++.
//   ["*".Asia]                               # from the root down, a key per label
//   "South-East" = ["Cambodia", "Laos"]      # values, as texts or numbers

#include <string>
#include <string_view>

#include "hierarchy/hierarchy.h"

namespace tada {

Result<HierarchyLines> ParseHierarchyToml(std::string_view text, const std::string& path);

}  // namespace tada
