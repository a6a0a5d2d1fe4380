#include "plan/shell_command.h"

#include <algorithm>

#include "base/option.h"
#include "partition/registry.h"
#include "plan/methods.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {
namespace {

void AddColumnOption(std::string_view option, const std::vector<PlannedColumn>& columns, std::string& text) {
  if (columns.empty()) return;
  std::vector<std::string> items;
  for (const PlannedColumn& column : columns) items.push_back(PlannedColumnText(column, option == "label"));
  text += fmt::format(" --{} {}", option, ShellQuote(JoinList(items)));
}

// Values as options, in the order of their specs.
void AddOptions(const OptionSpecs& specs, const OptionValues& values, std::string& text) {
  for (const OptionSpec& spec : specs) {
    if (!values.Has(spec.name) || spec.name == "threads") continue;
    if (spec.type == OptionType::kFlag) {
      if (values.Flag(spec.name)) text += fmt::format(" --{}", spec.name);
      continue;
    }
    const std::vector<std::string>& given = values.List(spec.name);
    const std::string value = spec.type == OptionType::kList ? JoinList(given) : given.back();
    text += spec.letter != 0 ? fmt::format(" -{} ", spec.letter) : fmt::format(" --{} ", spec.name);
    text += ShellQuote(value);
  }
}

}  // namespace

std::string ShellQuote(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string RequirementOptions(const Plan& plan) {
  std::string text;
  AddColumnOption("quasi", plan.quasi, text);
  AddColumnOption("sensitive", plan.sensitive, text);
  AddColumnOption("label", plan.label, text);
  AddColumnOption("keep", plan.keep, text);
  if (!plan.person.empty()) text += fmt::format(" --person {}", ShellQuote(JoinList(PersonItems(plan))));
  AddColumnOption("pseudonym", plan.pseudonym, text);
  if (!plan.shift_dates.empty()) text += fmt::format(" --shift-dates {}", ShellQuote(JoinList(ShiftedItems(plan))));
  if (!plan.key.empty()) text += fmt::format(" --key {}", ShellQuote(plan.key));
  if (!plan.domain.empty()) text += fmt::format(" --key-domain {}", ShellQuote(plan.domain));
  if (!plan.profile.empty()) text += fmt::format(" --profile {}", ShellQuote(plan.profile));
  if (!plan.allow.empty()) text += fmt::format(" --allow {}", ShellQuote(JoinList(plan.allow)));
  const std::vector<OptionSpec> specs = RequirementOptionSpecs();
  for (const WrittenOption& option : WriteRequirement(plan.requirement, !plan.sensitive.empty())) {
    if (!option.in_command) continue;
    const OptionSpec& spec = *std::ranges::find(specs, option.name, &OptionSpec::name);
    if (spec.type == OptionType::kFlag) {
      text += fmt::format(" --{}", option.name);
      continue;
    }
    const char letter = spec.letter;
    text += letter != 0 ? fmt::format(" -{} ", letter) : fmt::format(" --{} ", option.name);
    text += ShellQuote(JoinList(option.values));
  }
  return text.substr(1);
}

std::string AnonymizeCommand(const std::string& input, const std::string& output) {
  return fmt::format("tada anonymize {} --plan tada.toml -o {}", ShellQuote(input), ShellQuote(output));
}

std::optional<std::string> CommandOfPlan(const Plan& plan, const std::string& input, const std::string& output) {
  const Result<PlanFile> file = ParsePlanFile(PlanToToml(plan), "plan");  // which writes what differs from the defaults
  if (!file.ok() || !file->controllers.empty() || !file->about.empty()) return std::nullopt;
  std::vector<std::string> hierarchies;
  for (const auto& [name, column] : file->columns) {
    if (!column.order.empty() || column.order_of_appearance) return std::nullopt;
    if (!column.hierarchy.empty()) hierarchies.push_back(name + "=" + column.hierarchy);
  }
  std::string text = fmt::format("tada anonymize {}", ShellQuote(input));
  AddOptions(PlanOptions(), file->values, text);
  if (!hierarchies.empty()) text += " --hierarchy " + ShellQuote(JoinList(hierarchies));
  for (const auto& [method, values] : file->methods) AddOptions(MethodOptions(method), values, text);
  return text + " -o " + ShellQuote(output);
}

std::string ReadingOptions(const Plan& plan) {
  std::string text;
  if (plan.missing != Plan().missing) text += " --missing " + ShellQuote(JoinList(plan.missing));
  if (plan.guard_formulas) text += " --guard-formulas";
  if (plan.delimiter) {
    text += " --delimiter " + (*plan.delimiter == '\t' ? "tab" : ShellQuote(std::string(1, *plan.delimiter)));
  }
  if (!plan.charset.empty()) text += " --charset " + ShellQuote(plan.charset);
  if (!plan.sheet.empty()) text += " --sheet " + ShellQuote(plan.sheet);
  if (!plan.hierarchies.empty()) text += " --hierarchies " + ShellQuote(plan.hierarchies);
  std::vector<std::string> own;
  for (const auto* columns : {&plan.quasi, &plan.sensitive}) {
    for (const PlannedColumn& column : *columns) {
      if (!column.hierarchy.empty()) own.push_back(column.name + "=" + column.hierarchy);
    }
  }
  if (!own.empty()) text += " --hierarchy " + ShellQuote(JoinList(own));
  const MethodEntry* method = FindMethod(plan.method);
  if (method != nullptr && method->by_levels)
    text += " --method " + plan.method;  // which gives every column a hierarchy
  return text;
}

namespace {

// What the audit has to know of how rows and cells came about.
std::string RecodingOptions(const Plan& plan) {
  std::string text;
  if (!plan.clip.empty()) text += fmt::format(" --clip {}", ShellQuote(JoinList(ClipItems(plan))));
  if (plan.withhold > 0) text += fmt::format(" --withhold {}", plan.withhold);
  if (plan.recode == "mean") text += " --recode mean";
  if (plan.recode == "mean" && plan.keep_order) text += " --keep-order";
  return text;
}

}  // namespace

std::string AuditCommand(const Plan& plan, const Requirement& asked, const std::string& input,
                         const std::string& release) {
  Plan whole = plan;
  whole.requirement = asked;
  // A table that came through a pipe is gone.
  const std::string original = input == "-" ? "" : " --original " + ShellQuote(input);
  return fmt::format("tada audit {}{} {}{}{}", ShellQuote(release), original, RequirementOptions(whole),
                     ReadingOptions(plan), RecodingOptions(plan));
}

}  // namespace tada
