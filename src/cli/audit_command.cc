// tada audit: verifies a release from its file.

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/read_release.h"
#include "cli/report_file.h"
#include "cli/verdict_text.h"
#include "report/audit_sql.h"
#include "report/verdict_html.h"
#include "report/verdict_json.h"
#include "run/audit_release.h"

namespace tada {
namespace {

// The query instead of a verdict. It knows the release alone.
Result<int> PrintSql(const ParsedCommandLine& line, const Plan& plan, Console& console) {
  for (const std::string_view other : {"original", "report", "json"}) {
    if (!line.options.Has(other)) continue;
    return InvalidArgument("--sql prints a query and no verdict: it does not go together with --{}", other)
        .WithHint("Leave one of them out.");
  }
  const std::string& path = line.operands.front();
  const Workers workers(plan.threads, &console.cancel);
  TADA_TRY(file, ReadReleaseFile(path, plan, workers, console.progress));
  console.progress.Clear();
  AuditSqlOptions options{
      .table = SqlTableName(path), .file = path, .format = file.format, .delimiter = file.delimiter};
  if (line.options.Has("sql-table")) options.table = line.options.Text("sql-table");
  for (const auto& [name, kind] : file.typed_cells) options.nested.push_back(name);
  TADA_TRY(query, AuditSql(file.table, plan, options));
  console.out << query;
  return kExitPassed;
}

Result<int> RunAudit(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(plan_file, PlanFileOf(line));
  TADA_TRY(plan, PlanForAudit(plan_file, line.options));
  if (line.options.Flag("sql")) return PrintSql(line, plan, console);
  if (line.options.Has("sql-table")) {
    return InvalidArgument("--sql-table names the table of a query: it needs --sql").WithHint("Add --sql.");
  }
  const std::string& path = line.operands.front();
  const std::string original_path = line.options.Text("original");
  if (line.options.Has("original") && original_path == path) {
    return InvalidArgument("--original is the release itself: {}", path).WithHint("Name the table it was made from.");
  }
  const std::string report = line.options.Text("report");
  const bool force = line.options.Flag("force");
  TADA_CHECK_OK(CheckReportFile(report, force));
  const Workers workers(plan.threads, &console.cancel);
  TADA_TRY(release, ReadRelease(path, plan, workers, console.progress));
  std::optional<Table> original;
  if (line.options.Has("original")) {
    TADA_TRY(table, ReadOriginal(original_path, plan, release, workers, console.progress));
    original = std::move(table);
  }
  console.progress.Begin("audit", 0);
  TADA_TRY(verdict, AuditByPlan(release, original ? &*original : nullptr, plan, workers));
  console.progress.Clear();
  TADA_CHECK_OK(WriteReportFile(
      report, force, [&] { return VerdictJson(verdict); }, [&] { return VerdictHtml(verdict, path, original_path); }));
  console.out << (line.options.Flag("json") ? VerdictJson(verdict) : VerdictText(verdict, path, original_path));
  if (!verdict.passed) return kExitAuditFailed;
  return verdict.unverified.empty() || line.options.Flag("allow-unverified") ? kExitPassed : kExitNotVerified;
}

}  // namespace

Command MakeAuditCommand() {
  return {
      .name = "audit",
      .summary = "verify a release, tada's or another tool's",
      .description =
          "Verify from a released file alone that every row shares its quasi-identifier cells with at least k-1 "
          "others, and that every such class has l sensitive values. With --original also verify that every "
          "released cell covers the value it was made from. Cells may be values, intervals ([20,30], [20-30], "
          "20-30, [20, 30[), sets ({a,b}, a~b), labels of a hierarchy or *.",
      .usage = "<release> --quasi <columns> [options]",
      .min_operands = 1,
      .max_operands = 1,
      .examples = {{"Does the file have what was asked for",
                    "tada audit out.csv --quasi age,zip,job --sensitive disease -k 10 -l 3"},
                   {"Does it also tell the truth about the table it was made from",
                    "tada audit out.csv --original people.csv --plan tada.toml"},
                   {"A page to file beside the release", "tada audit out.csv --plan tada.toml --report audit.html"},
                   {"A query that verifies the same without this program",
                    "tada audit out.csv --quasi age,zip,job --sensitive disease -k 10 -l 3 --sql"},
                   {"For a script", "tada audit out.parquet --quasi age,zip -k 5 --json"}},
      .exits = CommonExits({{0, "the audit passed"},
                            {1, "the audit failed: the release breaks the requirement"},
                            {6, "not verified: nothing is wrong, but something asked could not be checked"}}),
      .note =
          "Options of 'tada anonymize' that say how a release was made (--task, --method, --seed, --controllers) are "
          "accepted and play no part, so that one line of options serves both commands. With --controller-column, and "
          "if the release has that column, each controller's rows are audited by themselves as well.",
      .run = &RunAudit};
}

}  // namespace tada
