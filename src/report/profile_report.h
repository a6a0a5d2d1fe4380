#pragma once

// The profile of a table for a terminal and for machines: what `tada inspect` prints.

#include <string>

#include "run/inspect/inspect.h"

namespace tada {

std::string ProfileText(const Profile& profile, const Plan& plan, const std::string& input);
/// The eighteen classes of the Safe Harbor rule, with what the table has of each.
std::string HipaaText(const Profile& profile, const std::string& input);
std::string ProfileJson(const Profile& profile, const Plan& plan);

}  // namespace tada
