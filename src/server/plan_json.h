#pragma once

// Plans as the page sends them, and what they look like elsewhere.
//   {"values": {"quasi": ["age"], "k": 10}, "columns": {"age": {"hierarchy": "width:5"}}, "controllers": {"north": {"k": 5}}}
// Values are options of the option table, by name, as numbers, texts, true or false, or lists of texts.

#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "plan/plan.h"

namespace tada {

/// The key of pseudonyms and shifted dates, as plans of the page call it: a file that the server makes beside them.
inline constexpr std::string_view kPlanKey = "tada.key";

/// kInvalidArgument for a plan that names a file, except those that the server itself puts beside plans.
Result<PlanFile> PlanFileFromJson(const nlohmann::json& json);
/// The same from the text of a plan file.
Result<PlanFile> PlanFileFromToml(const std::string& toml);
nlohmann::ordered_json PlanFileJson(const PlanFile& file);

/// The plan as a call of the Python package that makes the same release of `input`.
std::string PythonCall(const PlanFile& file, const std::string& input, const std::string& output);

/// The option that a message speaks of, "k" for "-k is too small"; "" if none.
std::string FieldOf(const std::string& message);

}  // namespace tada
