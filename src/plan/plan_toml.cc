// Plans as TOML. What is as it is by default is left out, so that a plan shows what somebody decided.

#include <algorithm>

#include "plan/methods.h"
#include "plan/plan.h"
#include "privacy/check/requirements.h"

namespace tada {
namespace {

std::string TextArray(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(TomlString(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

void AddColumns(std::string& toml, std::string_view role, const std::vector<PlannedColumn>& columns) {
  if (columns.empty()) return;
  std::vector<std::string> texts;
  for (const PlannedColumn& column : columns) texts.push_back(PlannedColumnText(column, role == "label"));
  toml += fmt::format("{} = {}\n", role, TextArray(texts));
}

void AddOrders(std::string& toml, const std::vector<PlannedColumn>& columns) {
  for (const PlannedColumn& column : columns) {
    const bool ordered = !column.order.empty() || column.order_of_appearance;
    if (!ordered && column.hierarchy.empty()) continue;
    toml += fmt::format("\n[columns.{}]\n", TomlString(column.name));
    if (ordered)
      toml += fmt::format("order = {}\n", column.order_of_appearance ? "\"appearance\"" : TextArray(column.order));
    if (!column.hierarchy.empty()) toml += fmt::format("hierarchy = {}\n", TomlString(column.hierarchy));
  }
}

/// A value of an option, in the TOML type that its spec asks for.
std::string OptionValueText(const OptionSpec& spec, const std::vector<std::string>& values) {
  switch (spec.type) {
    case OptionType::kList:
      return TextArray(values);
    case OptionType::kText:
    case OptionType::kChoice:
      return TomlString(values.back());
    case OptionType::kFlag:  // some take a word too: stratify = "never"
      return values.back() == "true" || values.back() == "false" ? values.back() : TomlString(values.back());
    case OptionType::kInteger:
    case OptionType::kReal:
      return values.back();
  }
  return "";
}

std::string RequirementLines(const Requirement& requirement) {
  const std::vector<OptionSpec> specs = RequirementOptionSpecs();
  std::string lines;
  for (const WrittenOption& option : WriteRequirement(requirement, true)) {
    const auto spec = std::ranges::find(specs, option.name, &OptionSpec::name);
    lines += fmt::format("{} = {}\n", option.name, OptionValueText(*spec, option.values));
  }
  return lines;
}

void AddMethodOptions(std::string& toml, const Plan& plan) {
  if (plan.method_options.all().empty()) return;
  const std::string method = ChosenMethod(plan);
  toml += fmt::format("\n[methods.{}]\n", method);
  for (const OptionSpec& spec : MethodOptions(method)) {
    if (!plan.method_options.Has(spec.name)) continue;
    toml += fmt::format("{} = {}\n", spec.name, OptionValueText(spec, plan.method_options.List(spec.name)));
  }
}

}  // namespace

std::string TomlString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(byte));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string PlanToToml(const Plan& plan) {
  const Plan defaults;
  std::string toml;
  AddColumns(toml, "quasi", plan.quasi);
  AddColumns(toml, "sensitive", plan.sensitive);
  AddColumns(toml, "label", plan.label);
  AddColumns(toml, "keep", plan.keep);
  if (!plan.person.empty()) toml += fmt::format("person = {}\n", TextArray(PersonItems(plan)));
  AddColumns(toml, "pseudonym", plan.pseudonym);
  if (!plan.shift_dates.empty()) toml += fmt::format("shift-dates = {}\n", TextArray(ShiftedItems(plan)));
  if (!plan.key.empty()) toml += fmt::format("key = {}\n", TomlString(plan.key));
  if (!plan.domain.empty()) toml += fmt::format("key-domain = {}\n", TomlString(plan.domain));
  if (!plan.profile.empty()) toml += fmt::format("profile = {}\n", TomlString(plan.profile));
  if (!plan.allow.empty()) toml += fmt::format("allow = {}\n", TextArray(plan.allow));
  if (plan.rows_are_people) toml += "rows-are-people = true\n";
  toml += RequirementLines(plan.requirement);
  if (plan.task) toml += fmt::format("task = \"{}\"\n", TaskName(*plan.task));
  if (!plan.method.empty()) toml += fmt::format("method = {}\n", TomlString(plan.method));
  if (plan.controllers != defaults.controllers) toml += fmt::format("controllers = {}\n", plan.controllers);
  if (!plan.controller_column.empty())
    toml += fmt::format("controller-column = {}\n", TomlString(plan.controller_column));
  if (plan.missing != defaults.missing) toml += fmt::format("missing = {}\n", TextArray(plan.missing));
  if (plan.delimiter) {
    toml += fmt::format("delimiter = {}\n", *plan.delimiter == '\t' ? "\"tab\"" : TomlString({&*plan.delimiter, 1}));
  }
  if (!plan.charset.empty()) toml += fmt::format("charset = {}\n", TomlString(plan.charset));
  if (!plan.sheet.empty()) toml += fmt::format("sheet = {}\n", TomlString(plan.sheet));
  if (plan.seed != defaults.seed) toml += fmt::format("seed = {}\n", plan.seed);
  if (plan.threads != defaults.threads) toml += fmt::format("threads = {}\n", plan.threads);
  if (plan.keep_order) toml += "keep-order = true\n";
  if (plan.guard_formulas) toml += "guard-formulas = true\n";
  if (!plan.hierarchies.empty()) toml += fmt::format("hierarchies = {}\n", TomlString(plan.hierarchies));
  if (plan.cells != defaults.cells) toml += fmt::format("cells = {}\n", TomlString(plan.cells));
  if (plan.range_cut) toml += "range = \"cut\"\n";
  if (!plan.domains.empty()) {
    std::vector<std::string> items;
    for (const auto& [column, bounds] : plan.domains)
      items.push_back(fmt::format("{}={}..{}", column, bounds.low, bounds.high));
    toml += fmt::format("domain = {}\n", TextArray(items));
  }
  if (plan.safe > 0) toml += fmt::format("safe = {}\n", plan.safe);
  if (plan.withhold > 0) toml += fmt::format("withhold = {}\n", plan.withhold);
  if (!plan.clip.empty()) toml += fmt::format("clip = {}\n", TextArray(ClipItems(plan)));
  if (!plan.importance.empty()) toml += fmt::format("importance = {}\n", TextArray(ImportanceItems(plan)));
  if (plan.recode != defaults.recode) toml += fmt::format("recode = {}\n", TomlString(plan.recode));
  if (plan.min_member > 0) toml += fmt::format("min-member = {}\n", plan.min_member);
  for (const auto* columns : {&plan.quasi, &plan.sensitive, &plan.label, &plan.keep}) AddOrders(toml, *columns);
  for (const auto& [name, requirement] : plan.controller_requirements) {
    toml += fmt::format("\n[controllers.{}]\n{}", TomlString(name), RequirementLines(requirement));
  }
  AddMethodOptions(toml, plan);
  if (!plan.about.empty()) toml += "\n[about]\n";
  for (const auto& [name, text] : plan.about) toml += fmt::format("{} = {}\n", name, TomlString(text));
  return toml;
}

}  // namespace tada
