// tada audit: verifies a release from its file.

#include "cli/commands/command.h"
#include "cli/terminal/exit_code.h"
#include "commands/judge/audit.h"
#include "report/verdict/verdict_json.h"
#include "report/verdict/verdict_text.h"

namespace tada {
namespace {

// The query instead of a verdict. It knows the release alone.
Result<int> PrintSql(const ParsedCommandLine& line, const AuditRequest& request, Source& release, Console& console) {
  for (const std::string_view other : {"original", "report", "json"}) {
    if (!line.options.Has(other)) continue;
    return InvalidArgument("--sql prints a query and no verdict: it does not go together with --{}", other)
        .WithHint("Leave one of them out.");
  }
  TADA_TRY(query, AuditQuery(request, line.options.Text("sql-table"), release, console));
  console.out << query;
  return kExitPassed;
}

Result<int> RunAudit(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  TADA_TRY(request, AuditRequestFrom(file, line.options));
  TADA_TRY(path, TableOperand(line));
  FileSource release(console.files, path);
  if (line.options.Flag("sql")) return PrintSql(line, request, release, console);
  if (line.options.Has("sql-table")) {
    return InvalidArgument("--sql-table names the table of a query: it needs --sql").WithHint("Add --sql.");
  }
  std::optional<FileSource> original;
  if (line.options.Has("original")) original.emplace(console.files, line.options.Text("original"));
  if (original && line.options.Text("original") == path) {
    return InvalidArgument("--original is the release itself: {}", release.name())
        .WithHint("Name the table it was made from.");
  }
  TADA_TRY(verdict, Audit(request, release, original ? &*original : nullptr, console));
  console.out << (line.options.Flag("json") ? VerdictJson(verdict)
                                            : VerdictText(verdict, release.name(), original ? original->name() : ""));
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
      .usage = "<release>... --quasi <columns> [options]",
      .min_operands = 1,
      .max_operands = kMostFiles,
      .examples = {{"Does the file have what was asked for",
                    "tada audit out.csv --quasi age,zip,job --sensitive disease -k 10 -l 3"},
                   {"Does it also tell the truth about the table it was made from",
                    "tada audit out.csv --original people.csv --plan tada.toml"},
                   {"A query that verifies the same without this program",
                    "tada audit out.csv --quasi age,zip,job --sensitive disease -k 10 -l 3 --sql"},
                   {"Is it the file that was released, and signed by whom",
                    "tada audit out.csv --manifest out.manifest.json --public-key ed25519:..."},
                   {"A page to file beside the release", "tada audit out.csv --plan tada.toml --report audit.html"},
                   {"For a script", "tada audit out.parquet --quasi age,zip -k 5 --json"}},
      .options = AuditCommandOptions(),
      .exits = CommonExits({{0, "the audit passed"},
                            {1, "the audit failed: the release breaks the requirement"},
                            {6, "not verified: nothing is wrong, but something asked could not be checked"}}),
      .note =
          "Options of 'tada anonymize' that say how a release was made (--task, --method and its options, --seed, "
          "--controllers) are "
          "accepted and play no part, so that one line of options serves both commands. With --controller-column, and "
          "if the release has that column, each controller's rows are audited by themselves as well.",
      .run = &RunAudit};
}

}  // namespace tada
