#pragma once

// `--max-risk R`: the estimated chance of finding somebody of a group, of whom the table is a sample, is at most R for every group
// (risk/individual_risk.h). What the table is a sample of is told by
//   --weights COLUMN   how many people of the population each row stands for;
//   --sampling F       the share of the population that was drawn, or
//   --population N     how many people it has: every row stands for as many people then.
// Without these every row is one person: the risk is 1 / rows.
// As a demand (Requirement::more): its limit is R, "" if the risk is only to be measured; its column the one with the weights; its kind
// "sampling" or "population", with the number as its value. It is about rows, not about values of a sensitive column.

#include "privacy/requirement_entry.h"

namespace tada {

RequirementEntry MaxRiskEntry();

/// What is told of the population; null if nothing is.
const Demand* RiskDemand(const Requirement& requirement);

/// The risk a demand is named by; other demands are about sensitive values.
inline constexpr std::string_view kMaxRisk = "max-risk";

/// Weights are counted in millionths.
inline constexpr uint64_t kWeightUnits = 1'000'000;

}  // namespace tada
