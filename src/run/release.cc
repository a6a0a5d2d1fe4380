#include "run/release.h"

#include <ctime>

#include "base/disk/spill.h"
#include "run/audit_release.h"
#include "run/input_notes.h"
#include "run/read_options.h"
#include "run/read_release.h"
#include "run/stopwatch.h"

namespace tada {
namespace {

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  return text;
}

// From the table to a release that is written and audited.
Status Finish(const ReleaseRequest& request, Sink& sink, const Workers& workers, Progress& progress,
              FinishedRelease& done) {
  const TableFile& input = *done.input;
  Outcome& outcome = done.outcome;
  Plan plan = request.plan;
  TADA_TRY(made, request.anonymize(input.table, plan, workers, progress));
  done.made = std::move(made);
  outcome.seconds.insert(outcome.seconds.end(), done.made.seconds.begin(), done.made.seconds.end());
  {
    const TimeStage timer(outcome.seconds, "write");
    const WriteOptions options{
        .delimiter = input.delimiter, .typed_cells = request.plan.cells == "typed", .stored = input.stored.get()};
    TADA_CHECK_OK(sink.Write(done.made.release, options, workers, progress));
  }
  {
    const TimeStage timer(outcome.seconds, "audit");
    progress.Begin("audit", 0);
    ReadOptions reading = ReleaseReadOptions(request.plan);
    reading.delimiter = input.delimiter;
    reading.charset.clear();
    TADA_TRY(released, sink.ReadBack(reading, workers));
    TADA_CHECK_OK(AuditRelease(released, input.table, plan, done.made, workers, outcome));
  }
  if (request.digests) {
    TADA_TRY(digest, sink.Digest());
    outcome.release_sha256 = std::move(digest);
  }
  DescribeRun(input.table, input.all_columns, plan, done.made, workers, outcome);
  if (request.report_raw) DescribeRawValues(input.table, done.made.release, outcome);
  return Ok();
}

Result<FinishedRelease> ReadAndFinish(const ReleaseRequest& request, Source& source, Sink& sink, const Workers& workers,
                                      Progress& progress) {
  std::unique_ptr<Spill> spill;
  if (request.memory > 0) {
    TADA_TRY(opened, Spill::Open(sink.folder(), request.memory));
    spill = std::move(opened);
  }
  FinishedRelease done;
  {
    const TimeStage timer(done.outcome.seconds, "read");
    TADA_TRY(input, ReadPlanned(source, request.plan, workers, progress));
    done.input = std::make_unique<const TableFile>(std::move(input));
    // Elsewhere it would let anybody check guesses about columns that were never released.
    if (request.digests && request.report_raw) {
      TADA_TRY(digest, source.Digest());
      done.outcome.input_sha256 = std::move(digest);
    }
  }
  done.notes = InputNotes(*done.input, request.plan);
  TADA_CHECK_OK(Finish(request, sink, workers, progress, done));
  done.outcome.input_path = source.name();
  done.outcome.input_format = done.input->format;
  done.outcome.output_path = sink.name();
  done.outcome.command = request.command;
  if (!sink.name().empty()) done.outcome.created = Now();
  workers.Poll();
  return done;
}

}  // namespace

Result<FinishedRelease> MakeRelease(const ReleaseRequest& request, Source& source, Sink& sink, const Workers& workers,
                                    Progress& progress) {
  try {
    return ReadAndFinish(request, source, sink, workers, progress);
  } catch (const SpillFull&) {
    return Spill::Full();
  }
}

}  // namespace tada
