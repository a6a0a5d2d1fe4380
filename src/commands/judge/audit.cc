#include "commands/judge/audit.h"

#include <optional>

#include "commands/context/report_file.h"
#include "files/write.h"
#include "report/verdict/audit_sql.h"
#include "report/verdict/verdict_html.h"
#include "report/verdict/verdict_json.h"
#include "run/audit_release.h"
#include "run/read_release.h"

namespace tada {

Result<AuditRequest> AuditRequestFrom(const PlanFile& file, const OptionValues& options) {
  TADA_TRY(plan, PlanForAudit(file, options));
  return AuditRequest{std::move(plan), options.Text("report"), options.Text("folds"), options.Flag("force")};
}

Result<Verdict> Audit(const AuditRequest& request, Source& release, Source* original, Context& context) {
  TADA_CHECK_OK(CheckReportFile(request.report, request.force));
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(released, ReadRelease(release, request.plan, workers, context.progress));
  std::optional<Table> before;
  if (original != nullptr) {
    TADA_TRY(table, ReadOriginal(*original, request.plan, released, workers, context.progress));
    before = std::move(table);
  }
  context.progress.Begin("audit", 0);
  TADA_TRY(verdict, AuditByPlan(released, before ? &*before : nullptr, request.plan, workers));
  context.progress.Clear();
  if (!request.folds.empty()) TADA_CHECK_OK(WriteWhole(request.folds, request.force, FoldsCsv(released, request.plan)));
  TADA_CHECK_OK(WriteReportFile(
      request.report, request.force, [&] { return VerdictJson(verdict); },
      [&] { return VerdictHtml(verdict, release.name(), original == nullptr ? "" : original->name()); }));
  return verdict;
}

Result<std::string> AuditQuery(const AuditRequest& request, const std::string& table, Source& release,
                               Context& context) {
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(file, ReadReleaseFile(release, request.plan, workers, context.progress));
  context.progress.Clear();
  AuditSqlOptions options{.table = table.empty() ? SqlTableName(release.name()) : table,
                          .file = release.name(),
                          .format = file.format,
                          .delimiter = file.delimiter};
  for (const auto& [name, kind] : file.typed_cells) options.nested.push_back(name);
  return AuditSql(file.table, request.plan, options);
}

}  // namespace tada
