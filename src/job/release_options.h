#pragma once

// How a released file is read (run/audit_release.h says how its columns are).

#include "io/read.h"
#include "run/plan.h"

namespace tada {

/// For files that `plan` released, or that another tool did.
ReadOptions ReleaseReadOptions(const Plan& plan);

}  // namespace tada
