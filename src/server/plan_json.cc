#include "server/plan_json.h"

#include <algorithm>

#include "base/option_mark.h"
#include "commands/option_table.h"
#include "hierarchy/hierarchy_builders.h"

namespace tada {
namespace {

using Json = nlohmann::json;

Result<std::string> TextOf(const std::string& name, const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return std::string(json.get<bool>() ? "true" : "false");
  if (json.is_number()) return json.dump();
  return InvalidArgument(TADA_OPTION("{}") " takes a text, a number, true or false, or a list of texts", name);
}

Result<OptionValues> ValuesFrom(const Json& json) {
  OptionValues values;
  if (!json.is_object()) return InvalidArgument("The values of a plan are an object");
  for (const auto& [name, given] : json.items()) {
    if (given.is_null()) continue;
    std::vector<std::string> texts;
    if (given.is_array()) {
      for (const Json& one : given) {
        TADA_TRY(text, TextOf(name, one));
        texts.push_back(std::move(text));
      }
    } else {
      TADA_TRY(text, TextOf(name, given));
      texts.push_back(std::move(text));
    }
    values.Set(name, std::move(texts));
  }
  return values;
}

nlohmann::ordered_json ValuesJson(const OptionValues& values) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, given] : values.all()) {
    const OptionSpec* spec = FindOption(OptionsOfCommand("anonymize"), name);
    const bool list = spec != nullptr ? spec->type == OptionType::kList : given.size() != 1;
    if (list)
      json[name] = given;
    else
      json[name] = given.empty() ? "" : given.back();
  }
  return json;
}

Result<PlannedColumn> ColumnFrom(const std::string& name, const Json& json) {
  PlannedColumn column{.name = name};
  if (!json.is_object()) return InvalidArgument("A column of a plan is an object: {}", name);
  if (const Json* hierarchy = json.contains("hierarchy") ? &json["hierarchy"] : nullptr; hierarchy != nullptr) {
    if (!hierarchy->is_string()) return InvalidArgument("A hierarchy is a text: {}", name);
    column.hierarchy = hierarchy->get<std::string>();
  }
  if (json.contains("order")) {
    const Json& order = json["order"];
    if (order == "appearance") {
      column.order_of_appearance = true;
    } else {
      if (!order.is_array()) return InvalidArgument("An order is a list of values: {}", name);
      for (const Json& value : order) {
        if (!value.is_string()) return InvalidArgument("An order is a list of texts: {}", name);
        column.order.push_back(value.get<std::string>());
      }
    }
  }
  return column;
}

std::string PythonText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (byte < 0x20 || byte == 0x7f)
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string PythonValue(const OptionSpec& spec, const std::vector<std::string>& given) {
  if (spec.type == OptionType::kList) {
    std::vector<std::string> texts;
    for (const std::string& text : given) texts.push_back(PythonText(text));
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }
  const std::string& text = given.back();
  if (spec.type == OptionType::kFlag) return text == "true" ? "True" : "False";
  const bool word = std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end();
  if ((spec.type == OptionType::kInteger && !word) || spec.type == OptionType::kReal) return text;
  return PythonText(text);
}

/// "hierarchies/column-3.csv": a hierarchy that was edited on the page.
bool IsSavedHierarchy(std::string_view text) {
  constexpr std::string_view kBefore = "hierarchies/column-", kAfter = ".csv";
  if (!text.starts_with(kBefore) || !text.ends_with(kAfter) || text.size() <= kBefore.size() + kAfter.size())
    return false;
  text = text.substr(kBefore.size(), text.size() - kBefore.size() - kAfter.size());
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Status RefuseHierarchyFile(std::string_view text) {
  if (text.empty() || IsBuilder(text) || IsSavedHierarchy(text)) return Ok();
  return InvalidArgument("A plan of the page names no file of a hierarchy")
      .WithHint("Build the hierarchy on the page, by a rule or by hand, or run the plan with 'tada anonymize'.");
}

/// No file is opened because a browser names it.
Status RefuseFiles(const OptionValues& values) {
  for (const char* name : {"hierarchies", "workload"}) {
    if (values.Has(name))
      return InvalidArgument("A plan of the page names no files: {}", name)
          .WithHint("Leave it out, or run the plan with 'tada anonymize'.");
  }
  if (values.Has("key") && values.Text("key") != kPlanKey)
    return InvalidArgument("The key of a plan of the page is {}, which the server makes", kPlanKey);
  const std::string profile = values.Has("profile") ? values.Text("profile") : "";
  if (!profile.empty() && profile != "cms" && profile != "hipaa-safe-harbor" && !profile.starts_with("risk:"))
    return InvalidArgument("A policy of the page is cms, hipaa-safe-harbor or risk:<share>: " TADA_OPTION("profile"));
  if (!values.Has("hierarchy")) return Ok();
  for (const std::string& item : values.List("hierarchy")) {
    const size_t at = item.rfind('=');
    TADA_CHECK_OK(RefuseHierarchyFile(at == std::string::npos ? item : item.substr(at + 1)));
  }
  return Ok();
}

Status RefuseFiles(const PlanFile& file) {
  TADA_CHECK_OK(RefuseFiles(file.values));
  for (const auto* sections : {&file.controllers, &file.methods}) {
    for (const auto& [name, values] : *sections) TADA_CHECK_OK(RefuseFiles(values));
  }
  for (const auto& [name, column] : file.columns) TADA_CHECK_OK(RefuseHierarchyFile(column.hierarchy));
  return Ok();
}

}  // namespace

Result<PlanFile> PlanFileFromToml(const std::string& toml) {
  TADA_TRY(file, ParsePlanFile(toml, "tada.toml"));
  TADA_CHECK_OK(RefuseFiles(file));
  return file;
}

Result<PlanFile> PlanFileFromJson(const Json& json) {
  PlanFile file;
  if (!json.is_object()) return InvalidArgument("A plan is an object");
  if (json.contains("values")) {
    TADA_TRY(values, ValuesFrom(json["values"]));
    TADA_CHECK_OK(ValidateValues(OptionsOfCommand("anonymize"), values));
    file.values = std::move(values);
  }
  for (const char* part : {"columns", "controllers", "methods"}) {
    if (json.contains(part) && !json[part].is_object()) return InvalidArgument("'{}' of a plan is an object", part);
  }
  if (json.contains("columns")) {
    for (const auto& [name, told] : json["columns"].items()) {
      TADA_TRY(column, ColumnFrom(name, told));
      file.columns[name] = std::move(column);
    }
  }
  for (auto [part, sections] : {std::pair{"controllers", &file.controllers}, std::pair{"methods", &file.methods}}) {
    if (!json.contains(part)) continue;
    for (const auto& [name, told] : json[part].items()) {
      TADA_TRY(values, ValuesFrom(told));
      TADA_CHECK_OK(ValidateValues(OptionsOfCommand("anonymize"), values));
      (*sections)[name] = std::move(values);
    }
  }
  TADA_CHECK_OK(RefuseFiles(file));
  return file;
}

nlohmann::ordered_json PlanFileJson(const PlanFile& file) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::object(), controllers = columns, methods = columns;
  for (const auto& [name, column] : file.columns) {
    nlohmann::ordered_json told = nlohmann::ordered_json::object();
    if (!column.hierarchy.empty()) told["hierarchy"] = column.hierarchy;
    if (column.order_of_appearance) told["order"] = "appearance";
    if (!column.order.empty()) told["order"] = column.order;
    columns[name] = told;
  }
  for (const auto& [name, values] : file.controllers) controllers[name] = ValuesJson(values);
  for (const auto& [name, values] : file.methods) methods[name] = ValuesJson(values);
  return {
      {"values", ValuesJson(file.values)}, {"columns", columns}, {"controllers", controllers}, {"methods", methods}};
}

std::string PythonCall(const PlanFile& file, const std::string& input, const std::string& output) {
  const bool by_file = !file.columns.empty() || !file.controllers.empty() || !file.methods.empty();
  std::string call = fmt::format("import tada\n\nrelease = tada.anonymize(\n    {},\n", PythonText(input));
  if (by_file) {
    call += "    plan=\"tada.toml\",\n";
  } else {
    for (const OptionSpec& spec : OptionsOfCommand("anonymize")) {
      if (!file.values.Has(spec.name) || file.values.List(spec.name).empty()) continue;
      std::string name(spec.name);
      std::ranges::replace(name, '-', '_');
      call += fmt::format("    {}={},\n", name, PythonValue(spec, file.values.List(spec.name)));
    }
  }
  return call + fmt::format(")\nrelease.write({})\n", PythonText(output));
}

std::string FieldOf(const std::string& message) {
  std::string field;
  SpellOptions(message, [&](const NamedOption& option) {
    if (field.empty() && FindOption(OptionsOfCommand("anonymize"), option.name) != nullptr) field = option.name;
    return "";
  });
  return field;
}

}  // namespace tada
