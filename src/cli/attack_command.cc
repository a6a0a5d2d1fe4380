// tada attack: what somebody who knows people's quasi-identifiers can do with a release.

#include "attack/attack.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/read_release.h"
#include "cli/report_file.h"
#include "files/read.h"
#include "job/read_options.h"
#include "plan/plan_columns.h"
#include "report/attack_report.h"
#include "report/report_page.h"

namespace tada {
namespace {

Result<Table> ReadPopulation(const std::string& path, const Plan& plan, const Workers& workers, Progress& progress) {
  Plan quasi_only = plan;
  quasi_only.sensitive.clear();
  TADA_TRY(header, ReadHeader(path, plan.delimiter));
  TADA_CHECK_OK(CheckPlannedColumns(quasi_only, header, path));
  TADA_TRY(file, ReadTable(path, PlannedReadOptions(quasi_only), workers, progress));
  return std::move(file.table);
}

Status CheckHasRows(const Table& table, const std::string& path) {
  if (table.num_rows() > 0) return Ok();
  return DataError("No rows below the header: {}", path).WithHint("Is it the right file?");
}

std::string AttackPage(const AttackResult& result, const std::string& release) {
  return ToHtml(ReportPage{"What the release gives away", release, "Not for publication: it says whom an attack finds.",
                           "", AttackSections(result)});
}

Result<int> RunAttack(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(plan, PlanFromCommandLine(line));
  plan.controller_column.clear();  // says how a release was made
  plan.label.clear();
  plan.keep.clear();
  const std::string& path = line.operands.front();
  const std::string report = line.options.Text("report");
  const bool force = line.options.Flag("force");
  if (!line.options.Has("original")) {
    return InvalidArgument("--original is missing: whom does the attacker look for?")
        .WithHint("Name the table that the release was made from.");
  }
  TADA_CHECK_OK(CheckReportFile(report, force));
  const Workers workers(plan.threads, &console.cancel);
  TADA_TRY(release, ReadRelease(path, plan, workers, console.progress));
  TADA_CHECK_OK(CheckHasRows(release, path));
  TADA_TRY(original, ReadOriginal(line.options.Text("original"), plan, release, workers, console.progress));
  TADA_CHECK_OK(CheckHasRows(original, line.options.Text("original")));
  AttackOptions options;
  for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(column.name);
  for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(column.name);
  options.subset_size = static_cast<size_t>(line.options.Integer("subsets", 0));
  options.max_people = static_cast<uint64_t>(line.options.Integer("people", 100'000));
  options.seed = plan.seed;
  std::optional<Table> population;
  if (line.options.Has("population")) {
    TADA_TRY(table, ReadPopulation(line.options.Text("population"), plan, workers, console.progress));
    TADA_CHECK_OK(CheckHasRows(table, line.options.Text("population")));
    population = std::move(table);
    options.population = &*population;
  }
  TADA_TRY(result, Attack(release, original, options, workers, console.progress));
  console.progress.Clear();
  TADA_CHECK_OK(
      WriteReportFile(report, force, [&] { return AttackJson(result); }, [&] { return AttackPage(result, path); }));
  console.out << (line.options.Flag("json") ? AttackJson(result) : AttackText(result));
  return kExitPassed;
}

}  // namespace

Command MakeAttackCommand() {
  return {
      .name = "attack",
      .summary = "simulate an attacker on a release, tada's or another tool's",
      .description =
          "Measure what somebody who knows the quasi-identifiers of the people in the original can do with a release: "
          "find their rows, guess their sensitive values, tell who is in it. Each figure stands beside what could be "
          "done without the release.",
      .usage = "<release> --original <input> --quasi <columns> [options]",
      .min_operands = 1,
      .max_operands = 1,
      .examples = {{"How much does it give away",
                    "tada attack out.csv --original people.csv --quasi age,zip,job --sensitive disease"},
                   {"To somebody who knows only two of the columns, and with a page of charts",
                    "tada attack out.csv --original people.csv --plan tada.toml --subsets 2 --report attack.html"}},
      .exits = CommonExits({{0, "attacked; the figures say how well it went"}}),
      .note = "Definitions, and what the figures do not say: docs/attack.md. The report is not for publication.",
      .run = &RunAttack};
}

}  // namespace tada
