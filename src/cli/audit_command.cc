// tada audit: verifies a release from its file.

#include <numeric>

#include "audit/audit.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/read_release.h"
#include "cli/report_file.h"
#include "cli/verdict_text.h"
#include "run/verdict_html.h"
#include "run/verdict_json.h"

namespace tada {
namespace {

AuditOptions OptionsFor(const Plan& plan, const Table& release, const Table* original) {
  AuditOptions options;
  options.requirement = plan.requirement;
  for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(release.Find(column.name).value());
  for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(release.Find(column.name).value());
  if (original == nullptr) return options;
  options.original = original;
  for (const Column& column : release.columns()) options.original_column.push_back(original->Find(column.name()));
  if (plan.keep_order && release.num_rows() == original->num_rows()) {
    options.order.emplace(release.num_rows());
    std::iota(options.order->begin(), options.order->end(), RowId{0});
  }
  return options;
}

Result<int> RunAudit(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(plan, PlanFromCommandLine(line));
  plan.controller_column.clear();  // says how a release was made; the release itself need not have it
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
  TADA_TRY(verdict, Audit(release, OptionsFor(plan, release, original ? &*original : nullptr), workers));
  console.progress.Clear();
  TADA_CHECK_OK(WriteReportFile(
      report, force, [&] { return VerdictJson(verdict); }, [&] { return VerdictHtml(verdict, path, original_path); }));
  console.out << (line.options.Flag("json") ? VerdictJson(verdict) : VerdictText(verdict, path, original_path));
  return verdict.passed ? kExitPassed : kExitAuditFailed;
}

}  // namespace

Command MakeAuditCommand() {
  return {.name = "audit",
          .summary = "verifies a release, ours or another tool's",
          .description =
              "Verifies from a released file alone that every row shares its quasi-identifier cells with at least k-1 "
              "others, and that every such class has l sensitive values. With --original it also verifies that every "
              "released cell covers the value it was made from. Cells may be values, intervals ([20,30], [20-30], "
              "20-30, [20, 30[), sets ({a,b}, a~b), labels of a hierarchy or *.",
          .usage = "RELEASE --quasi COLUMNS [options]",
          .min_operands = 1,
          .max_operands = 1,
          .examples = {{"Does the file have what was asked for",
                        "tada audit out.csv --quasi age,zip,job --sensitive disease -k 10 -l 3"},
                       {"Does it also say the truth about the table it was made from",
                        "tada audit out.csv --original people.csv --plan tada.toml"},
                       {"A page to file beside the release", "tada audit out.csv --plan tada.toml --report audit.html"},
                       {"For a script", "tada audit out.parquet --quasi age,zip -k 5 --json"}},
          .exits = CommonExits({{0, "the audit passed"}, {1, "the audit failed: the release breaks the requirement"}}),
          .note =
              "Options of 'tada anonymize' that say how a release was made (--task, --method, --seed, --controllers, "
              "--controller-column) are accepted and play no part, so that one line of options serves both commands.",
          .run = &RunAudit};
}

}  // namespace tada
