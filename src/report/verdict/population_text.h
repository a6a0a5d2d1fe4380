#pragma once

// What a table tells about the people of the population it is a sample of (risk/population.h), in sentences and for machines.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "audit/classes/verdict.h"
#include "risk/population.h"

namespace tada {

/// Of the classes of an audited release; nothing if the requirement says nothing of the population, or counts people.
std::optional<PopulationRisk> PopulationOf(const Verdict& verdict);

/// What the requirement tells of the population; weights are not in it.
SampledFrom SampledFromOf(const Requirement& requirement);

/// `members`: "rows", or "people".
std::vector<std::string> PopulationSentences(const PopulationRisk& risk, std::string_view members = "rows");

/// The same for a terminal, below a title; "" without a risk.
std::string PopulationText(const std::optional<PopulationRisk>& risk, std::string_view members = "rows");

nlohmann::ordered_json PopulationJson(const PopulationRisk& risk);

}  // namespace tada
