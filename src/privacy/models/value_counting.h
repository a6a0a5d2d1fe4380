#pragma once

#include "privacy/requirement_entry.h"

namespace tada {

/// --exact-values and --missing-counts: no condition of its own, but how l and all other requirements count sensitive values
/// (privacy/canonical_value.h).
RequirementEntry ValueCountingEntry();

}  // namespace tada
