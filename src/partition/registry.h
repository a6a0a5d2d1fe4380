#pragma once

// The list of methods: the one place where a method is named. `tada methods`, the help, the plan and the property tests
// read it, so that a method is documented, accepted and tested the moment it stands here.

#include <span>
#include <string_view>

#include "partition/engine/method.h"

namespace tada {

/// All methods, in the order in which they are shown.
std::span<const MethodEntry> Methods();

/// The method of that name; nullptr if there is none.
const MethodEntry* FindMethod(std::string_view name);

/// The method that is taken when none is named.
std::string_view DefaultMethod(Task task);

}  // namespace tada
