#include "commands/release/anonymize.h"

#include <cctype>
#include <charconv>
#include <map>
#include <optional>

#include "evaluate/auto_method.h"
#include "report/release/report.h"
#include "report/release/report_html.h"

namespace tada {
namespace {

bool IsHtml(std::string_view path) { return path.ends_with(".html") || path.ends_with(".htm"); }

// A size as --memory takes it, in bytes: 512MB, 2 GB, 1500000000.
Result<uint64_t> MemoryOf(const std::string& text) {
  constexpr uint64_t kLeast = uint64_t{64} << 20;
  uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::map<std::string, int> shifts = {{"", 0},    {"B", 0},  {"K", 10},  {"KB", 10}, {"M", 20},
                                             {"MB", 20}, {"G", 30}, {"GB", 30}, {"T", 40},  {"TB", 40}};
  const auto shift = shifts.find(unit);
  if (code != std::errc() || shift == shifts.end() || number > UINT64_MAX >> 42) {
    return InvalidArgument("--memory takes a size such as 512MB or 2GB, not '{}'", text);
  }
  const uint64_t bytes = number << shift->second;
  if (bytes < kLeast) {
    return InvalidArgument("--memory is too small: {}", text)
        .WithHint("Allow 64MB or more; the program itself needs some.");
  }
  return bytes;
}

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
