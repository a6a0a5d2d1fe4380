#include "commands/options_json.h"

#include <algorithm>

#include "base/version.h"
#include "commands/option_table.h"
#include "partition/registry.h"
#include "plan/plan.h"
#include "privacy/check/requirements.h"

namespace tada {

using Json = nlohmann::ordered_json;

Json OptionJson(const OptionSpec& spec) {
  static constexpr std::string_view kTypes[] = {"flag", "integer", "real", "text", "list", "choice"};
  Json json = {{"name", spec.name}, {"type", kTypes[static_cast<size_t>(spec.type)]}, {"help", spec.help}};
  if (!spec.default_text.empty()) json["default"] = spec.default_text;
  if (!spec.choices.empty()) json["choices"] = spec.choices;
  if (spec.minimum) json["minimum"] = *spec.minimum;
  if (spec.maximum) json["maximum"] = *spec.maximum;
  return json;
}

Json MethodsJson() {
  Json methods = Json::array(), requirements = Json::array();
  for (const MethodEntry& method : Methods()) {
    Json options = Json::array(), tasks = Json::array();
    for (const OptionSpec& spec : method.options) options.push_back(OptionJson(spec));
    for (const Task task : method.tasks) tasks.push_back(TaskName(task));
    methods.push_back({{"name", method.name},
                       {"maturity", method.maturity == Maturity::kStable ? "stable" : "experimental"},
                       {"summary", method.summary},
                       {"page", method.page},
                       {"tasks", tasks},
                       {"order_matters", method.order_matters},
                       {"options", options}});
  }
  for (const RequirementEntry& entry : Requirements()) {
    for (const auto& [option, meaning] : entry.meanings)
      requirements.push_back({{"option", option}, {"meaning", meaning}});
  }
  return {{"methods", methods}, {"requirements", requirements}};
}

Json OptionsJson() {
  Json json = {{"version", kVersion}};
  json.update(MethodsJson());
  Json options = Json::array();
  std::vector<std::string_view> of_requirements;
  for (const OptionSpec& spec : RequirementOptionSpecs()) of_requirements.push_back(spec.name);
  for (const std::string_view command : CommandNames()) {
    for (const OptionSpec& spec : OptionsOfCommand(command)) {
      if (!spec.listed) continue;
      Json option = {{"command", command}};
      option.update(OptionJson(spec));
      option["section"] = spec.section;
      option["value"] = spec.value_name;
      option["in_plan"] = spec.in_plan;
      option["of_method"] = spec.of_method;
      option["requirement"] = std::ranges::find(of_requirements, spec.name) != of_requirements.end();
      options.push_back(std::move(option));
    }
  }
  json["options"] = std::move(options);
  return json;
}

}  // namespace tada
