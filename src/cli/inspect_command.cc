// tada inspect: profiles a table and proposes roles.

#include "cli/commands.h"
#include "cli/text_layout.h"
#include "cli/verdict_text.h"
#include "files/read.h"
#include "files/write.h"
#include "job/read_options.h"
#include "plan/plan_columns.h"
#include "plan/shell_command.h"
#include "report/profile_json.h"
#include "run/inspect.h"

namespace tada {
namespace {

std::string ProfileText(const Profile& profile, const Plan& plan, const std::string& input) {
  std::vector<std::vector<std::string>> rows = {{"column", "kind", "distinct", "missing", "unique", "role", "why"}};
  std::vector<std::string> quasi;
  for (const ColumnProfile& column : profile.columns) {
    rows.push_back({column.name, column.is_date ? "date" : std::string(KindName(column.kind)),
                    fmt::format("{}", column.distinct), fmt::format("{}", column.missing),
                    fmt::format("{:.1f}%", column.uniqueness * 100), std::string(ColumnRoleName(column.role)),
                    column.reason});
    if (column.role == ColumnRole::kQuasi) quasi.push_back(column.name);
  }
  std::string text = fmt::format("{}: {} rows, {} columns\n\n", input, profile.rows, profile.columns.size());
  text += AlignColumns(rows, {false, false, true, true, true, false, false});
  const double share = 100.0 / static_cast<double>(std::max<uint64_t>(1, profile.rows));
  text += fmt::format(
      "\n{} rows ({:.1f}%) are unique on the quasi-identifiers {}: whoever knows these of a person has found the row.\n"
      "{} rows ({:.1f}%) are in classes smaller than k={}. Classes: {}, from {} to {} rows.\n\nClasses by size:\n{}",
      profile.unique_rows, static_cast<double>(profile.unique_rows) * share, fmt::join(quasi, ", "),
      profile.rows_below_k, static_cast<double>(profile.rows_below_k) * share, plan.requirement.k, profile.classes,
      profile.smallest_class, profile.largest_class, SizeHistogram(profile.class_sizes));
  return text;
}

/// A draft need not be complete, but what it says must not contradict itself.
Status CheckDraft(Plan draft) {
  if (draft.quasi.empty()) draft.quasi.push_back({.name = std::string(1, '\0')});  // no column has this name
  if (draft.sensitive.empty()) draft.requirement.l = 1;
  return CheckPlan(draft);
}

Result<int> RunInspect(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(plan, DraftFromCommandLine(line));
  TADA_CHECK_OK(CheckDraft(plan));
  const std::string& input = line.operands.front();
  const std::string target = line.options.Text("write-plan");
  if (line.options.Flag("json") && target == "-") {
    return InvalidArgument("--json and --write-plan - would both print: choose one");
  }
  const Workers workers(plan.threads, &console.cancel);
  TADA_TRY(file, ReadTable(input, OriginalReadOptions(plan), workers, console.progress));
  TADA_CHECK_OK(CheckPlannedColumns(plan, file.all_columns, input));
  console.progress.Begin("inspect", 0);
  const Profile profile = Inspect(file.table, plan);
  console.progress.Clear();
  if (!target.empty())
    TADA_CHECK_OK(WriteWhole(target, line.options.Flag("force"), DraftPlanToml(profile, plan, input)));
  if (target == "-") return 0;
  console.out << (line.options.Flag("json") ? ProfileJson(profile, plan) : ProfileText(profile, plan, input));
  if (!target.empty() && !line.options.Flag("json")) {
    console.out << fmt::format("\nPlan: {}. Read it, change it, then:\n  tada anonymize {} --plan {} -o <output>\n",
                               target, ShellQuote(input), ShellQuote(target));
  }
  return 0;
}

}  // namespace

Command MakeInspectCommand() {
  return {.name = "inspect",
          .summary = "profile columns, propose roles, draft a plan",
          .description =
              "Profile the columns of a table, propose a role for each and say why, and show how identifying the raw "
              "table is. Roles given as options replace the proposals.",
          .usage = "<input> [options]",
          .min_operands = 1,
          .max_operands = 1,
          .examples = {{"A first look", "tada inspect people.csv"},
                       {"Draft a plan to work from", "tada inspect people.csv --write-plan tada.toml"},
                       {"How identifying are age and zip alone",
                        "tada inspect people.csv --quasi age,zip --keep job --json"}},
          .exits = CommonExits({{0, "inspected"}}),
          .run = &RunInspect};
}

}  // namespace tada
