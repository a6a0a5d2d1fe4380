#include "api/request_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/option_table.h"
#include "plan/option_groups.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

std::string TomlKey(const std::string& key) { return TomlString(key); }

std::string TomlValue(const Json& value) {
  if (value.is_string()) return TomlString(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::string text = "[";
  for (const Json& item : value) text += TomlValue(item) + ", ";
  return text + "]";
}

// The members of an object: values first, then a section for each object in it.
void AppendToml(const Json& object, const std::string& section, std::string& toml) {
  for (const auto& [key, value] : object.items()) {
    if (!value.is_object()) toml += TomlKey(key) + " = " + TomlValue(value) + "\n";
  }
  for (const auto& [key, value] : object.items()) {
    if (!value.is_object()) continue;
    const std::string name = section.empty() ? TomlKey(key) : section + "." + TomlKey(key);
    toml += "[" + name + "]\n";
    AppendToml(value, name, toml);
  }
}

bool LooksLikeJson(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// TOML has no value for null, and JSON's stands for nothing being said.
Json WithoutNulls(Json json) {
  for (auto it = json.begin(); it != json.end();) {
    if (it->is_null()) {
      it = json.erase(it);
    } else {
      if (it->is_object()) *it = WithoutNulls(std::move(*it));
      ++it;
    }
  }
  return json;
}

Result<std::string> TomlOf(std::string_view text) {
  if (!LooksLikeJson(text)) return std::string(text);
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return InvalidArgument("The plan begins like JSON and is none");
  std::string toml;
  AppendToml(WithoutNulls(json), "", toml);
  return toml;
}

}  // namespace

Result<RequestText> ReadRequestText(std::string_view command, const char* text) {
  RequestText request;
  if (text == nullptr) return request;
  TADA_TRY(toml, TomlOf(text));
  TADA_TRY(file, ParsePlanFile(toml, "the plan", OptionsOfCommand(command)));
  const OptionSpecs planned = PlanOptions();
  for (const auto& [name, given] : file.values.all()) {
    const bool of_plan = FindOption(planned, name) != nullptr;
    if (of_plan && command != "evaluate") {
      request.file.values.Set(name, given);
    } else {
      request.values.Set(name, given);  // evaluate has some options of a plan with meanings of its own: several k
    }
  }
  for (const std::string_view name : {"query", "rows-per-file", "partition-by", "log"}) {
    if (!request.values.Has(name)) continue;
    return InvalidArgument("{} is an option of the program", name)
        .WithHint("A query is part of an address: ?query=select%20...");
  }
  request.file.columns = std::move(file.columns);
  request.file.controllers = std::move(file.controllers);
  request.file.methods = std::move(file.methods);
  return request;
}

}  // namespace tada
