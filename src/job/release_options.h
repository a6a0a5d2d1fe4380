#pragma once

// How a released file is read: as its receiver would. Every cell is text, and only columns that are no quasi-identifiers
// know what "missing" is, there as in the original.

#include "io/read.h"
#include "run/plan.h"

namespace tada {

/// For files that `plan` released, or that another tool did.
ReadOptions ReleaseReadOptions(const Plan& plan);

}  // namespace tada
