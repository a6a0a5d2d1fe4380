#include "commands/judge/audit.h"

#include <optional>

#include "audit/outside.h"
#include "base/option_mark.h"
#include "commands/context/report_file.h"
#include "files/write.h"
#include "report/verdict/audit_sql.h"
#include "report/verdict/verdict_html.h"
#include "report/verdict/verdict_json.h"
#include "run/audit/audit_release.h"
#include "run/protect/safe_table.h"
#include "run/read_release.h"

namespace tada {

Result<AuditRequest> AuditRequestFrom(const PlanFile& file, const OptionValues& options) {
  AuditRequest request;
  PlanFile planned = file;
  if (options.Has("manifest")) {
    TADA_TRY(manifest, ReadManifest(options.Text("manifest")));
    if (!options.Has("plan") && !options.Has("quasi") && !file.values.Has("quasi")) {  // it has the plan
      TADA_TRY(of_manifest, ParsePlanFile(manifest.plan, options.Text("manifest")));
      planned = std::move(of_manifest);
    }
    request.manifest = std::move(manifest);
  }
  request.public_key = options.Text("public-key");
  if (!request.public_key.empty() && !(request.manifest && IsPublicKey(request.public_key))) {
    return InvalidArgument(
               TADA_OPTION("public-key") " takes the public half of a key, ed25519:..., and needs " TADA_OPTION(
                   "manifest"))
        .WithHint("'tada key <file>' shows the public half of a key.");
  }
  TADA_TRY(plan, PlanForAudit(planned, options));
  request.plan = std::move(plan);
  request.report = options.Text("report");
  request.folds = options.Text("folds");
  request.force = options.Flag("force");
  return request;
}

namespace {

// What the file holds beside its cells, by the bytes. The original is read again, with the columns that were not released: those are the
// values that must not be there.
Status AuditOutside(const AuditRequest& request, Source& release, Source* original, const Table& released,
                    const Workers& workers, Context& context, Verdict& verdict) {
  TADA_TRY(outside, release.Outside());
  if (!outside) {
    verdict.notes.emplace_back("Only the cells were looked at: what else the bytes of a file may hold was not.");
    return Ok();
  }
  if (outside->empty()) return Ok();
  std::optional<TableFile> whole;
  if (original != nullptr && original->has_header()) {
    ReadOptions options;
    options.delimiter = request.plan.delimiter;
    options.defaults = {.kind = Kind::kCategorical, .missing = request.plan.missing};
    auto file = original->Read(options, workers, context.progress);
    if (file.ok()) whole = std::move(file).value();  // a stream is read once
  }
  JudgeOutside(*outside, released, whole ? &whole->table : nullptr, verdict);
  return Ok();
}

}  // namespace

Result<Verdict> Audit(const AuditRequest& request, Source& release, Source* original, Context& context) {
  TADA_CHECK_OK(CheckReportFile(request.report, request.force));
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(released, ReadRelease(release, request.plan, workers, context.progress));
  std::optional<Table> before;
  if (original != nullptr) {
    TADA_TRY(table, ReadOriginal(*original, request.plan, released, workers, context.progress));
    std::set<std::string> changed;
    TADA_TRY(hidden, HiddenTable(std::move(table), request.plan, changed));
    before = std::move(hidden);
  }
  context.progress.Begin("audit", 0);
  TADA_TRY(verdict, AuditByPlan(released, before ? &*before : nullptr, request.plan, workers));
  TADA_CHECK_OK(AuditOutside(request, release, original, released, workers, context, verdict));
  if (request.manifest) {
    TADA_TRY(digest, release.Digest());
    const auto binary = context.files.Digest("/proc/self/exe");
    CheckManifest(*request.manifest, digest, binary.ok() ? *binary : "", request.public_key, verdict);
  }
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
