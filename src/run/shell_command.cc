#include "run/shell_command.h"

namespace tada {
namespace {

// A list of columns as a list option takes it: an item with a comma, quote or outer blank is quoted (see SplitList).
void AddColumns(const char* option, const std::vector<PlannedColumn>& columns, std::string& text) {
  if (columns.empty()) return;
  std::string list;
  for (const PlannedColumn& column : columns) {
    std::string item = PlannedColumnText(column, /*is_label=*/false);
    if (item.find_first_of(",\"'") != std::string::npos || item.front() == ' ' || item.back() == ' ') {
      for (size_t at = item.find('"'); at != std::string::npos; at = item.find('"', at + 2)) item.insert(at, 1, '"');
      item = '"' + item + '"';
    }
    list += (list.empty() ? "" : ",") + item;
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
  return fmt::format("tada audit {} --original {} {}", ShellQuote(release), ShellQuote(input),
                     RequirementOptions(plan));
}

}  // namespace tada
