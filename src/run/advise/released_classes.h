#pragma once

// Rows that show the same in a whole release, whatever groups they came from.

#include "groups/level_rows.h"
#include "recode/release.h"

namespace tada {

/// Pre: every row of the table is in the release.
LevelClasses ReleasedClasses(const Release& release);

}  // namespace tada
