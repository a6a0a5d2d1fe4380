#include "commands/release/anonymize.h"

#include <optional>

#include "commands/context/memory_size.h"
#include "evaluate/auto_method.h"
#include "report/release/report.h"
#include "report/release/report_html.h"

namespace tada {
namespace {

bool IsHtml(std::string_view path) { return path.ends_with(".html") || path.ends_with(".htm"); }

Status WriteReport(const Outcome& outcome, PendingFile& file) {
  TADA_CHECK_OK(file.Write(IsHtml(file.target()) ? ReportHtml(outcome) : ReportJson(outcome)));
  return file.Sync();
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
  request.report_raw = options.Flag("report-raw");
  request.force = options.Flag("force");
  if (options.Has("memory")) {
    TADA_TRY(memory, MemoryOf(options.Text("memory")));
    request.memory = memory;
  }
  return request;
}

Result<FinishedRelease> Anonymize(const AnonymizeRequest& request, Source& source, Sink& sink, Context& context) {
  std::optional<PendingFile> report;
  if (!request.report.empty()) {
    TADA_TRY(opened, PendingFile::Open(request.report, request.force));
    report.emplace(std::move(opened));
  }
  ReleaseRequest asked;
  asked.plan = request.plan;
  asked.report_raw = request.report_raw;
  asked.digests = report.has_value();
  asked.memory = request.memory;
  asked.command = request.command;
  asked.anonymize = &AnonymizeOrChoose;
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(done, MakeRelease(asked, source, sink, workers, context.progress));
  if (!done.outcome.verdict.passed) return done;
  if (report) TADA_CHECK_OK(WriteReport(done.outcome, *report));
  workers.Poll();
  TADA_CHECK_OK(sink.Publish());
  if (report) {
    const Status published = report->Publish();
    if (!published.ok()) {
      return Error(published.error())
          .WithHint(fmt::format("The release was written; its report was not: {}", sink.name()));
    }
  }
  return done;
}

}  // namespace tada
