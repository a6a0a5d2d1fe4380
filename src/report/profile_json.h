#pragma once

// The profile of a table for machines: what `tada inspect --json` prints.

#include <string>

#include "run/inspect.h"

namespace tada {

std::string ProfileJson(const Profile& profile, const Plan& plan);

}  // namespace tada
