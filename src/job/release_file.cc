#include "job/release_file.h"

#include <ctime>
#include <filesystem>

#include "base/spill.h"
#include "evaluate/auto_method.h"
#include "files/format.h"
#include "files/read.h"
#include "files/write.h"
#include "job/read_options.h"
#include "plan/plan_columns.h"
#include "report/report.h"
#include "report/report_html.h"
#include "run/anonymize.h"
#include "run/audit_release.h"
#include "run/stopwatch.h"

namespace tada {
namespace {

// The finished file, read back as the receiver will.
Result<Table> ReadBack(const PendingFile& file, const Plan& plan, char delimiter, const Workers& workers) {
  ReadOptions options = ReleaseReadOptions(plan);
  options.delimiter = delimiter;
  NoProgress silent;
  TADA_TRY(read, ReadTable(file.path(), options, workers, silent));
  return std::move(read.table);
}

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  return text;
}

bool IsHtml(std::string_view path) { return path.ends_with(".html") || path.ends_with(".htm"); }

Status WriteReport(const Outcome& outcome, const ReleaseJob& job, PendingFile& file) {
  TADA_CHECK_OK(file.Write(IsHtml(job.report) ? ReportHtml(outcome) : ReportJson(outcome)));
  return file.Sync();
}

// The folder that large blocks of memory are spilled to: beside the release, since there has to be room for it too.
std::string SpillParent(const PendingFile& file) {
  const std::filesystem::path parent = std::filesystem::path(file.path()).parent_path();
  return parent.empty() ? "." : parent.string();
}

// What tells that somebody wrote to a file since; nothing of one that is not there.
struct FileState {
  std::filesystem::file_time_type written;
  uintmax_t bytes = 0;
  bool operator==(const FileState&) const = default;
};

FileState StateOf(const std::string& path) {
  std::error_code ignored;
  return {std::filesystem::last_write_time(path, ignored), std::filesystem::file_size(path, ignored)};
}

// The digest of the bytes that were read, which those of the file are no longer if it has changed since.
Status DescribeInput(const ReleaseJob& job, const FileState& before, Outcome& outcome) {
  TADA_TRY(digest, FileSha256(job.input));
  if (StateOf(job.input) != before) {
    return DataError("Input changed while it was read: {}", job.input)
        .WithHint("Run again when nobody writes to the file.");
  }
  outcome.input_sha256 = std::move(digest);
  return Ok();
}

Result<TableFile> ReadInput(const ReleaseJob& job, const Workers& workers, Progress& progress, Outcome& outcome) {
  const TimeStage timer(outcome.seconds, "read");
  const FileState before = StateOf(job.input);
  if (job.input != "-") {
    TADA_TRY(header, ReadHeader(job.input, job.plan.delimiter));
    TADA_CHECK_OK(CheckInputColumns(job.plan, header, job.input));  // said before the file is read, whatever its size
  }
  TADA_TRY(input, ReadTable(job.input, PlannedReadOptions(job.plan), workers, progress));
  TADA_CHECK_OK(CheckInputColumns(job.plan, input.all_columns, job.input));
  if (!job.report.empty() && job.input != "-") TADA_CHECK_OK(DescribeInput(job, before, outcome));
  return input;
}

// What a file has to say beyond what DescribeRun knows.
void DescribeFiles(const ReleaseJob& job, const TableFile& input, const Anonymized& made, Outcome& outcome) {
  outcome.input_path = job.input_name.empty() ? job.input : job.input_name;
  outcome.input_format = input.format;
  outcome.output_path = job.output;
  outcome.command = job.command;
  outcome.created = Now();
  if (job.report_raw) DescribeRawValues(input.table, made.release, outcome);
}

// From the table to a file that is written and audited, but not yet published.
Status MakeRelease(const ReleaseJob& job, const TableFile& input, const Workers& workers, Progress& progress,
                   PendingFile& file, Outcome& outcome) {
  Plan plan = job.plan;
  TADA_TRY(made, AnonymizeOrChoose(input.table, plan, workers, progress));
  outcome.seconds.insert(outcome.seconds.end(), made.seconds.begin(), made.seconds.end());
  {
    const TimeStage timer(outcome.seconds, "write");
    progress.Begin("write", made.release.row_order.size());
    const WriteOptions options{input.delimiter, job.plan.cells == "typed"};
    TADA_CHECK_OK(WriteRelease(made.release, options, workers, progress, file));
  }
  {
    const TimeStage timer(outcome.seconds, "audit");
    progress.Begin("audit", 0);
    TADA_TRY(released, ReadBack(file, job.plan, input.delimiter, workers));
    TADA_CHECK_OK(AuditRelease(released, input.table, made, workers, outcome));
  }
  DescribeRun(input.table, input.all_columns, plan, made, workers, outcome);
  DescribeFiles(job, input, made, outcome);
  return Ok();
}

Result<Outcome> ReleaseTable(const ReleaseJob& job, const Workers& workers, Progress& progress) {
  Outcome outcome;
  if (!job.report.empty() && !IsHtml(job.report) && !job.report.ends_with(".json")) {
    return InvalidArgument("--report takes a file that ends in .json or .html, not '{}'", job.report);
  }
  TADA_CHECK_OK(FormatOf(job.output));  // said before anything is read; reports and plans have extensions of their own
  TADA_TRY(file, PendingFile::Open(job.output, job.force));
  std::optional<PendingFile> report;
  if (!job.report.empty()) {
    TADA_TRY(opened, PendingFile::Open(job.report, job.force));
    report.emplace(std::move(opened));
  }
  std::unique_ptr<Spill> spill;
  if (job.memory > 0) {
    TADA_TRY(opened, Spill::Open(SpillParent(file), job.memory));
    spill = std::move(opened);
  }
  TADA_TRY(input, ReadInput(job, workers, progress, outcome));
  TADA_CHECK_OK(MakeRelease(job, input, workers, progress, file, outcome));
  if (!outcome.verdict.passed) return outcome;
  if (report) TADA_CHECK_OK(WriteReport(outcome, job, *report));
  workers.Poll();
  TADA_CHECK_OK(file.Publish());
  if (report) {
    const Status published = report->Publish();
    if (!published.ok()) {
      return Error(published.error())
          .WithHint(fmt::format("The release was written; its report was not: {}", job.output));
    }
  }
  return outcome;
}

}  // namespace

Result<Outcome> ReleaseFile(const ReleaseJob& job, const Workers& workers, Progress& progress) {
  try {
    return ReleaseTable(job, workers, progress);
  } catch (const SpillFull&) {
    return Spill::Full();
  }
}

}  // namespace tada
