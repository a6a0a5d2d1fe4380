#pragma once

// What was asked and what was reached of it, as JSON: by the names of the list of requirements.

#include <nlohmann/json.hpp>

#include "audit/audit.h"
#include "privacy/requirement.h"

namespace tada {

/// {"k": 5, "l": 2, "diversity": "distinct"}, and further requirements by the names of their options.
nlohmann::ordered_json RequirementJson(const Requirement& requirement);

/// The texts that were counted as another sensitive value: [{"column": "disease", "text": "Flu ", "value": "flu"}]; null if missing.
nlohmann::ordered_json FoldedJson(const Verdict& verdict);

/// Adds what is reached beside k and l to an object, by name and column: {"t": {"salary": "0.1987"}}.
void AddFurther(const Verdict& verdict, nlohmann::ordered_json& reached);
void AddFurther(const std::vector<ReachedDemand>& further, nlohmann::ordered_json& reached);

}  // namespace tada
