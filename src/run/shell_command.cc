#include "run/shell_command.h"

namespace tada {
namespace {

// Column names as a list option takes them.
void AddColumns(const char* option, const std::vector<PlannedColumn>& columns, std::string& text) {
  if (columns.empty()) return;
  std::string list;
  for (const PlannedColumn& column : columns) {
    if (!list.empty()) list += ',';
    list += column.name;
    if (column.kind) list += fmt::format(":{}", KindName(*column.kind));
  }
  text += fmt::format(" --{} {}", option, ShellQuote(list));
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
  AddColumns("quasi", plan.quasi, text);
  AddColumns("sensitive", plan.sensitive, text);
  text += fmt::format(" -k {}", plan.requirement.k);
  if (!plan.sensitive.empty()) text += fmt::format(" -l {}", plan.requirement.l);
  if (!plan.sensitive.empty() && plan.requirement.diversity != Diversity::kDistinct) {
    text += " --diversity " + DiversityName(plan.requirement);
  }
  return text.substr(1);
}

std::string AnonymizeCommand(const std::string& input, const std::string& output) {
  return fmt::format("tada anonymize {} --plan tada.toml -o {}", ShellQuote(input), ShellQuote(output));
}

std::string AuditCommand(const Plan& plan, const std::string& input, const std::string& release) {
  return fmt::format("tada audit {} --original {} {}", ShellQuote(release), ShellQuote(input), RequirementOptions(plan));
}

}  // namespace tada
