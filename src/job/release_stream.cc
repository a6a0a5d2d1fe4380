#include "job/release_stream.h"

#include "evaluate/auto_method.h"
#include "plan/plan_columns.h"
#include "run/audit_release.h"
#include "run/stopwatch.h"

namespace tada {
namespace {

// Only the columns that have a role are read.
StreamOptions ReadOptionsFor(const StreamJob& job) {
  StreamOptions options;
  options.name = job.name;
  options.defaults.missing = job.plan.missing;
  options.by_name = PlannedColumnOptions(job.plan);
  options.columns.emplace();
  for (const auto& [name, as] : options.by_name) options.columns->push_back(name);
  return options;
}

// The finished batches, read back as their receiver will: cells as text.
Result<Table> ReadBack(const Batches& batches, const Plan& plan, const Workers& workers) {
  StreamOptions options;
  options.name = "the release";
  options.defaults = ReleasedColumnDefaults(plan);
  options.by_name = ReleasedColumnOptions(plan);
  TADA_TRY(reader, StreamReader::Open(*batches.schema.get(), options));
  for (const nanoarrow::UniqueArray& batch : batches.arrays) TADA_CHECK_OK(reader.Add(*batch.get(), workers));
  TADA_TRY(read, reader.Finish(workers));
  return std::move(read.table);
}

Result<Table> ReadOriginal(ArrowArrayStream& stream, const Plan& plan, const Table& release, const std::string& name,
                           const Workers& workers, Progress& progress) {
  TADA_TRY(header, StreamHeader(stream, name));
  TADA_CHECK_OK(CheckPlannedColumns(plan, header, name));
  StreamOptions options;
  options.name = name;
  options.defaults.missing = plan.missing;
  options.by_name = PlannedColumnOptions(plan);
  options.columns.emplace();
  for (const std::string& column : header) {
    if (release.Find(column)) options.columns->push_back(column);
  }
  TADA_TRY(read, ReadStream(stream, options, workers, progress));
  return std::move(read.table);
}

}  // namespace

Result<StreamRelease> ReleaseStream(ArrowArrayStream& stream, const StreamJob& job, const Workers& workers,
                                    Progress& progress) {
  StreamRelease done;
  StageSeconds& seconds = done.outcome.seconds;
  {
    const TimeStage timer(seconds, "read");
    TADA_TRY(header, StreamHeader(stream, job.name));
    TADA_CHECK_OK(CheckInputColumns(job.plan, header, job.name));
    TADA_TRY(read, ReadStream(stream, ReadOptionsFor(job), workers, progress));
    done.input = std::make_unique<StreamTable>(std::move(read));
  }
  const Table& table = done.input->table;
  Plan plan = job.plan;
  TADA_TRY(made, AnonymizeOrChoose(table, plan, workers, progress));
  done.made = std::move(made);
  seconds.insert(seconds.end(), done.made.seconds.begin(), done.made.seconds.end());
  {
    const TimeStage timer(seconds, "write");
    const bool typed = job.plan.cells == "typed";
    done.batches = std::make_shared<const Batches>(
        MakeBatches(done.input->stored, done.made.release, typed, job.untyped, workers, progress));
  }
  {
    const TimeStage timer(seconds, "audit");
    progress.Begin("audit", 0);
    TADA_TRY(released, ReadBack(*done.batches, job.plan, workers));
    TADA_CHECK_OK(AuditRelease(released, table, done.made, workers, done.outcome));
  }
  DescribeRun(table, done.input->all_columns, plan, done.made, workers, done.outcome);
  done.outcome.input_path = job.name;
  done.outcome.input_format = job.format;
  if (job.report_raw) DescribeRawValues(table, done.made.release, done.outcome);
  if (!done.outcome.verdict.passed) done.batches.reset();
  workers.Poll();
  return done;
}

Result<Verdict> AuditStream(ArrowArrayStream& release, ArrowArrayStream* original, const Plan& plan,
                            const StreamNames& names, const Workers& workers, Progress& progress) {
  TADA_TRY(header, StreamHeader(release, names.release));
  Plan required = plan;
  required.controller_column.clear();  // says how a release was made; the release itself need not have it
  TADA_CHECK_OK(CheckPlannedColumns(required, header, names.release));
  StreamOptions options;
  options.name = names.release;
  options.defaults = ReleasedColumnDefaults(plan);
  options.by_name = ReleasedColumnOptions(plan);
  TADA_TRY(read, ReadStream(release, options, workers, progress));
  const Table& released = read.table;
  std::optional<Table> before;
  if (original != nullptr) {
    TADA_TRY(table, ReadOriginal(*original, required, released, names.original, workers, progress));
    before = std::move(table);
  }
  progress.Begin("audit", 0);
  return AuditByPlan(released, before ? &*before : nullptr, plan, workers);
}

}  // namespace tada
