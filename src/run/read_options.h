#pragma once

// How files are read for a plan.

#include "files/read.h"
#include "plan/plan.h"

namespace tada {

/// How the files of a plan are laid out, where they do not say it themselves.
LayoutOptions PlannedLayout(const Plan& plan);

/// All columns of an original table, those that the plan names as it says.
ReadOptions OriginalReadOptions(const Plan& plan);

/// Only the columns that the plan names.
ReadOptions PlannedReadOptions(const Plan& plan);

/// For files that `plan` released, or that another tool did (run/audit/released_columns.h).
ReadOptions ReleaseReadOptions(const Plan& plan);

}  // namespace tada
