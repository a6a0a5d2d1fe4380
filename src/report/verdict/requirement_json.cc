#include "report/verdict/requirement_json.h"

#include <algorithm>

#include "privacy/check/requirements.h"

namespace tada {

nlohmann::ordered_json RequirementJson(const Requirement& requirement) {
  const std::vector<OptionSpec> specs = RequirementOptionSpecs();
  nlohmann::ordered_json json;
  for (const WrittenOption& option : WriteRequirement(requirement, true)) {
    const auto spec = std::ranges::find(specs, option.name, &OptionSpec::name);
    const std::string name(option.name);
    if (spec->type == OptionType::kInteger) {
      json[name] = std::stoll(option.values.back());
    } else if (spec->type == OptionType::kFlag) {
      json[name] = option.values.back() == "true";
    } else if (spec->type == OptionType::kList) {
      json[name] = option.values;
    } else {
      json[name] = option.values.back();
    }
  }
  if (requirement.persons != Persons::kRows) json["persons"] = PersonsName(requirement.persons);
  return json;
}

nlohmann::ordered_json FoldedJson(const Verdict& verdict) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const FoldedSpelling& one : verdict.folded) {
    json.push_back({{"column", one.column}, {"text", one.text}});
    json.back()["value"] = one.value.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(one.value);
  }
  return json;
}

void AddFurther(const Verdict& verdict, nlohmann::ordered_json& reached) { AddFurther(verdict.further, reached); }

void AddFurther(const std::vector<ReachedDemand>& further, nlohmann::ordered_json& reached) {
  for (const ReachedDemand& demand : further) {
    nlohmann::ordered_json& value = reached[demand.name][demand.column];
    value = demand.value ? nlohmann::ordered_json(*demand.value) : nullptr;
    if (demand.reached == "infinite") value = demand.reached;
  }
}

}  // namespace tada
