#pragma once

// What the edges may know of the methods: names, words and options, taken from the registry (partition/registry.h), and
// which method a plan means when it names none.

#include <string>
#include <string_view>
#include <vector>

#include "base/option.h"
#include "plan/plan.h"

namespace tada {

std::vector<std::string> MethodNames();

/// The options of a method; empty for an unknown one.
OptionSpecs MethodOptions(std::string_view method);

/// The methods that take an option of that name; empty if none does.
std::vector<std::string> MethodsTaking(std::string_view option);

/// The method a plan means: the one it names; else `ta_da` if it has a task (or a label, from which one follows) and
/// `mondrian` if not.
std::string ChosenMethod(const Plan& plan);

/// Checks that the plan's method is registered, has what it needs, and takes the plan's method options.
Status CheckMethod(const Plan& plan);

}  // namespace tada
