#pragma once

// Datafly (Sweeney 1997) and plain levels: the simplest ways to recode whole columns. docs/algorithms/rules.md

#include "partition/engine/method.h"

namespace tada {

/// Raises the column with most different values by one level, until few enough rows are outliers; these are masked.
MethodEntry DataflyMethod();

/// Recodes by the levels that the user names, and refuses if the requirement is not met by them.
MethodEntry LevelsMethod();

}  // namespace tada
