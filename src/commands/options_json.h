#pragma once

// What there is to choose from, for machines: methods, requirements and options, from the registries and the option table.

#include <nlohmann/json.hpp>

#include "base/option.h"

namespace tada {

nlohmann::ordered_json OptionJson(const OptionSpec& spec);
/// Methods with their options, and requirements: what `tada methods --json` prints.
nlohmann::ordered_json MethodsJson();
/// The same, and every option with its section and the commands that take it: what a form is drawn from.
nlohmann::ordered_json OptionsJson();

}  // namespace tada
