#include "report/verdict/population_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/decimal.h"
#include "privacy/models/max_risk.h"
#include "report/draw/chart_axis.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

std::string People(double count) { return WithCommas(static_cast<unsigned long long>(std::llround(count))); }

std::string EstimateText(std::string_view name, const std::optional<double>& estimate) {
  return fmt::format("{} {}", name, estimate ? People(*estimate) : "has no solution");
}

std::string UniquesSentence(const PopulationRisk& risk, std::string_view members) {
  const UniqueEstimates& found = risk.uniques;
  if (risk.sample_uniques == 0) return fmt::format("None of the {} is unique in the table.", members);
  std::string others;
  if (found.chosen != "Zayatz") others += ", " + EstimateText("Zayatz", found.zayatz);
  if (found.chosen != "Pitman") others += ", " + EstimateText("Pitman", found.pitman);
  if (found.chosen != "SNB") others += ", " + EstimateText("SNB", found.snb);
  return fmt::format(
      "{} of the {} are unique in the table. An estimated {} people ({}) are unique in the population, by {}, which "
      "Dankar's rule chooses here (others: {}). {}",
      WithCommas(risk.sample_uniques), members, People(found.uniques), Percent(found.uniques / risk.people),
      found.chosen, others.substr(2),
      risk.sampling() <= 0.1 ? "For a sample this small such estimates may be off by half and more."
                             : "It is an estimate, not a bound.");
}

}  // namespace

SampledFrom SampledFromOf(const Requirement& requirement) {
  SampledFrom from;
  const Demand* demand = RiskDemand(requirement);
  if (demand == nullptr) return from;
  if (demand->kind == "population") from.population = std::stoull(demand->values.front());
  if (demand->kind == "sampling") from.sampling = ParseDecimal(demand->values.front())->value();
  return from;
}

std::optional<PopulationRisk> PopulationOf(const Verdict& verdict) {
  if (verdict.requirement.persons != Persons::kRows) return std::nullopt;
  return MeasurePopulation(verdict.class_sizes, SampledFromOf(verdict.requirement),
                           static_cast<uint64_t>(verdict.requirement.k));
}

std::vector<std::string> PopulationSentences(const PopulationRisk& risk, std::string_view members) {
  std::vector<std::string> sentences;
  sentences.push_back(fmt::format("The table has {} {}, a sample of {} of about {} people.", WithCommas(risk.members),
                                  members, Percent(risk.sampling()), People(risk.people)));
  sentences.push_back(UniquesSentence(risk, members));
  if (risk.sample_uniques > 0) {
    sentences.push_back(fmt::format(
        "If exactly one of the {} fits somebody, it is that person's with a chance of {} (data intrusion simulation).",
        members, Percent(risk.right_match)));
  }
  sentences.push_back(fmt::format(
      "Somebody of the table is found in the population with an estimated chance of {} on average and {} at most "
      "(individual risk); of {} {}, {:.1f} would be found.",
      Percent(risk.average_risk), Percent(risk.highest_risk), WithCommas(risk.members), members,
      risk.expected_found()));
  sentences.push_back(fmt::format(
      "The smallest class has {} of the {}: by a test at 5% everybody is hidden among at least {} people of the "
      "population (k-map). To hide everybody among {}, classes of {} are enough.",
      WithCommas(risk.smallest_class), members, WithCommas(risk.k_map), WithCommas(risk.k),
      WithCommas(risk.least_class)));
  return sentences;
}

std::string PopulationText(const std::optional<PopulationRisk>& risk, std::string_view members) {
  if (!risk) return "";
  std::string text = "\nIn the population:\n";
  for (const std::string& sentence : PopulationSentences(*risk, members))
    text += "  - " + Wrap(sentence, 100, 4) + '\n';
  return text;
}

nlohmann::ordered_json PopulationJson(const PopulationRisk& risk) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  return {{"members", risk.members},
          {"people", risk.people},
          {"sampling", risk.sampling()},
          {"sample_uniques", risk.sample_uniques},
          {"uniques",
           {{"zayatz", risk.uniques.zayatz},
            {"pitman", number(risk.uniques.pitman)},
            {"snb", number(risk.uniques.snb)},
            {"chosen", risk.uniques.chosen},
            {"people", risk.uniques.uniques}}},
          {"right_match", risk.right_match},
          {"individual_risk",
           {{"highest", risk.highest_risk}, {"average", risk.average_risk}, {"expected_found", risk.expected_found()}}},
          {"k_map",
           {{"significance", kSignificance},
            {"smallest_class", risk.smallest_class},
            {"reached", risk.k_map},
            {"k", risk.k},
            {"least_class", risk.least_class}}}};
}

}  // namespace tada
