#include "report/compose_text.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "report/verdict/requirement_json.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

template <class... Args>
void PairLine(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  text += '\n';
}

// ", l=3"; nothing where there is no sensitive column.
std::string WithL(uint64_t l, std::string_view before) { return l == 0 ? "" : fmt::format("{}l={}", before, l); }

Json OrNull(uint64_t l) { return l == 0 ? Json(nullptr) : Json(l); }

void AddRegion(const ComposedRegion& region, size_t number, std::string& text) {
  const std::string who = region.people > 1    ? fmt::format(", {} and {} more", region.person, region.people - 1)
                          : region.people == 1 ? fmt::format(", {}", region.person)
                                               : "";
  PairLine(text, "  {}. effective k={}{}{}", number, region.k, WithL(region.l, ", "), who);
  if (!region.reason.empty()) PairLine(text, "     {}", region.reason);
  for (const ComposedRegion::Part& part : region.parts) {
    std::vector<std::string> cells;
    for (const auto& [column, cell] : part.cells) cells.push_back(fmt::format("{}={}", column, cell));
    PairLine(text, "     {}: {}: {} of {} rows remain possible", part.release, fmt::join(cells, " "), part.rows_left,
             part.rows);
  }
  for (const auto& [column, values] : region.values_left)
    PairLine(text, "     {}: {}", column, fmt::join(values, ", "));
}

Json RegionJson(const ComposedRegion& region) {
  Json json = {{"k", region.k}, {"l", OrNull(region.l)}, {"reason", region.reason}};
  if (region.people > 0) {
    json["person"] = region.person;
    json["people"] = region.people;
  }
  for (const ComposedRegion::Part& part : region.parts) {
    Json cells = Json::object();
    for (const auto& [column, cell] : part.cells) cells[column] = cell;
    json["classes"].push_back(
        {{"release", part.release}, {"cells", cells}, {"rows", part.rows}, {"rows_left", part.rows_left}});
  }
  json["values_left"] = Json::object();
  for (const auto& [column, values] : region.values_left) json["values_left"][column] = values;
  return json;
}

}  // namespace

std::string ComposeText(const Composition& composition) {
  std::string text;
  PairLine(text, "{}: {} releases together, k={} l={} asked", composition.passed ? "PASSED" : "FAILED",
           composition.releases.size(), composition.requirement.k, composition.requirement.l);
  PairLine(text, "\nBy themselves:");
  for (const Composition::Alone& alone : composition.releases) {
    PairLine(text, "  {}: {} rows in {} classes, k={}{}; {} rows in classes that fall below together", alone.name,
             alone.rows, alone.classes, alone.k, WithL(alone.l, ", "), alone.rows_at_risk);
  }
  PairLine(text, "\nTogether:");
  if (composition.by_key) {
    PairLine(text, "  {} people in more than one release; {} fall below", composition.people, composition.people_below);
  }
  PairLine(text, "  {} {}; {} fall below ({} below k, {} below l{})", composition.regions,
           composition.by_key ? "combinations of classes that hold them" : "pairs of classes that may share a person",
           composition.regions_below, composition.regions_below_k, composition.regions_below_l,
           composition.requirement.more.empty() ? "" : fmt::format(", {} break more", composition.regions_below_more));
  if (composition.regions > 0) {
    PairLine(text, "  effective k={}{}", composition.k, WithL(composition.l, ", effective "));
  }
  for (const ReachedDemand& demand : composition.further) {
    PairLine(text, "  effective {}: {}, {} {} asked", demand.Label(), demand.reached,
             demand.at_most ? "at most" : "at least", demand.asked);
  }
  if (!composition.worst.empty()) PairLine(text, "\nWorst (not for publication):");
  for (size_t i = 0; i < composition.worst.size(); ++i) AddRegion(composition.worst[i], i + 1, text);
  if (!composition.problems.empty()) PairLine(text, "\nProblems:");
  for (const std::string& problem : composition.problems) PairLine(text, "  - {}", problem);
  if (!composition.notes.empty()) PairLine(text, "\nNotes:");
  for (const std::string& note : composition.notes) PairLine(text, "  - {}", note);
  return text;
}

std::string ComposeJson(const Composition& composition) {
  Json json;
  json["passed"] = composition.passed;
  json["requirement"] = {{"k", composition.requirement.k}, {"l", composition.requirement.l}};
  for (const Demand& demand : composition.requirement.more)
    json["requirement"][demand.name].push_back(DemandText(demand));
  json["by_key"] = composition.by_key;
  json["k"] = composition.regions == 0 ? Json(nullptr) : Json(composition.k);
  json["l"] = OrNull(composition.l);
  AddFurther(composition.further, json);
  for (const Composition::Alone& alone : composition.releases) {
    json["releases"].push_back({{"name", alone.name},
                                {"rows", alone.rows},
                                {"classes", alone.classes},
                                {"k", alone.k},
                                {"l", OrNull(alone.l)},
                                {"rows_at_risk", alone.rows_at_risk}});
    AddFurther(alone.further, json["releases"].back());
  }
  json["regions"] = {{"all", composition.regions},
                     {"below", composition.regions_below},
                     {"below_k", composition.regions_below_k},
                     {"below_l", composition.regions_below_l},
                     {"by_l", composition.regions_by_l}};
  if (!composition.requirement.more.empty()) json["regions"]["below_more"] = composition.regions_below_more;
  if (composition.by_key) {
    json["people"] = {{"in_several", composition.people},
                      {"below", composition.people_below},
                      {"changed", composition.people_changed}};
  }
  json["worst"] = Json::array();
  for (const ComposedRegion& region : composition.worst) json["worst"].push_back(RegionJson(region));
  json["problems"] = composition.problems;
  json["notes"] = composition.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
