#include "commands/release/anonymize.h"

#include <optional>

#include "commands/context/memory_size.h"
#include "evaluate/auto_method.h"
#include "keys/secret_key.h"
#include "report/release/manifest.h"
#include "report/release/report.h"
#include "report/release/report_html.h"

namespace tada {
namespace {

bool IsHtml(std::string_view path) { return path.ends_with(".html") || path.ends_with(".htm"); }

// A file that is written beside the release, whole or not at all.
Result<std::optional<PendingFile>> OpenBeside(const std::string& path, bool force) {
  if (path.empty()) return std::optional<PendingFile>();
  TADA_TRY(opened, PendingFile::Open(path, force));
  return std::optional(std::move(opened));
}

Status WriteBeside(std::string_view text, PendingFile& file) {
  TADA_CHECK_OK(file.Write(text));
  return file.Sync();
}

// Makes it visible, when the release is.
Status PublishBeside(std::optional<PendingFile>& file, std::string_view what, const Sink& sink) {
  if (!file) return Ok();
  const Status published = file->Publish();
  if (published.ok()) return Ok();
  return Error(published.error())
      .WithHint(fmt::format("The release was written; its {} was not: {}", what, sink.name()));
}

Result<std::optional<SecretKey>> ReadKey(const std::string& path) {
  if (path.empty()) return std::optional<SecretKey>();
  TADA_TRY(key, SecretKey::Read(path));
  return std::optional(std::move(key));
}

Status WriteManifest(const FinishedRelease& done, const std::optional<SecretKey>& key, Files& files,
                     PendingFile& file) {
  if (done.outcome.release_sha256.empty()) {
    return InvalidArgument("--manifest is about a file, and the release is none")
        .WithHint("Write the release to a file.");
  }
  TADA_TRY(binary, files.Digest("/proc/self/exe"));
  return WriteBeside(ManifestJson(done.outcome, binary, key ? &*key : nullptr), file);
}

}  // namespace

Result<AnonymizeRequest> AnonymizeRequestFrom(const PlanFile& file, const OptionValues& options) {
  AnonymizeRequest request;
  TADA_TRY(plan, PlanFromFile(file, options));
  request.plan = std::move(plan);
  request.report = options.Text("report");
  if (!request.report.empty() && !IsHtml(request.report) && !request.report.ends_with(".json")) {
    return InvalidArgument("--report takes a file that ends in .json or .html, not '{}'", request.report);
  }
  request.manifest = options.Text("manifest");
  request.key = options.Text("key");
  if (!request.key.empty() && request.manifest.empty() && !LinksRows(request.plan)) {
    return InvalidArgument("--key is for pseudonyms, shifted dates and manifests: there are none")
        .WithHint("Add --manifest <file.json>, --pseudonym <column> or --shift-dates <column>.");
  }
  request.report_raw = options.Flag("report-raw");
  request.force = options.Flag("force");
  if (options.Has("memory")) {
    TADA_TRY(memory, MemoryOf(options.Text("memory")));
    request.memory = memory;
  }
  return request;
}

Result<FinishedRelease> Anonymize(const AnonymizeRequest& request, Source& source, Sink& sink, Context& context) {
  TADA_TRY(key, ReadKey(request.key));
  TADA_TRY(report, OpenBeside(request.report, request.force));
  TADA_TRY(manifest, OpenBeside(request.manifest, request.force));
  ReleaseRequest asked;
  asked.plan = request.plan;
  asked.report_raw = request.report_raw;
  asked.digests = report.has_value() || manifest.has_value();
  asked.memory = request.memory;
  asked.command = request.command;
  asked.anonymize = &AnonymizeOrChoose;
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(done, MakeRelease(asked, source, sink, workers, context.progress));
  if (!done.outcome.verdict.passed) return done;
  if (report) {
    TADA_CHECK_OK(WriteBeside(IsHtml(report->target()) ? ReportHtml(done.outcome) : ReportJson(done.outcome), *report));
  }
  if (manifest) TADA_CHECK_OK(WriteManifest(done, key, context.files, *manifest));
  workers.Poll();
  TADA_CHECK_OK(sink.Publish());
  TADA_CHECK_OK(PublishBeside(report, "report", sink));
  TADA_CHECK_OK(PublishBeside(manifest, "manifest", sink));
  return done;
}

}  // namespace tada
