#include "run/release.h"

#include <algorithm>
#include <filesystem>
#include <future>

#include "base/disk/spill.h"
#include "base/option_mark.h"
#include "files/format.h"
#include "run/anonymize/stopwatch.h"
#include "run/audit/audit_release.h"
#include "run/audit/column_statistics.h"
#include "run/audit/describe_run.h"
#include "run/protect/guard_published.h"
#include "run/protect/input_notes.h"
#include "run/protect/safe_table.h"
#include "run/read_options.h"
#include "run/read_release.h"
#include "score/least_loss.h"
#include "writing/utc_now.h"

namespace tada {
namespace {

// Only CSV has texts that a spreadsheet would run.
Status CheckGuard(const Plan& plan, const Sink& sink) {
  if (!plan.guard_formulas || sink.name().empty()) return Ok();
  const auto format = FormatOf(sink.name());
  if (!format.ok() || *format == Format::kCsv || *format == Format::kCsvGz) return Ok();
  return InvalidArgument(TADA_OPTION("guard-formulas") " is for CSV: {}", sink.name())
      .WithHint("Leave it out: spreadsheets do not run cells of Parquet and Arrow files.");
}

CellForm FormOf(const std::string& cells) {
  return cells == "typed" ? CellForm::kTyped : cells == "text" ? CellForm::kText : CellForm::kPostgres;
}

// No range of PostgreSQL has bounds such as `31/12/1942` or `1.234,50`.
Status CheckLiterals(const Plan& plan, const Release& release) {
  if (plan.cells != "postgres") return Ok();
  for (const ReleasedColumn& released : release.columns) {
    const Column& column = release.table->column(released.source);
    if (!released.recoded || column.writing().is_plain() || ShapeOf(column, released) != CellShape::kIntervals)
      continue;
    return InvalidArgument(
               TADA_OPTION(
                   "cells=postgres") ": PostgreSQL does not read the {} of column '{}', which are written as {}",
               column.is_date() ? "dates" : "numbers", column.name(), column.writing().text())
        .WithHint(
            "Write the column plainly first (1942-12-31, 1234.50), or leave " TADA_OPTION("cells=postgres") " out.");
  }
  return Ok();
}

Status WriteTo(Sink& sink, const Plan& plan, const FinishedRelease& done, const Workers& workers, Progress& progress) {
  const TableFile& input = *done.input;
  const WriteOptions options{.delimiter = input.delimiter,
                             .guard_formulas = plan.guard_formulas,
                             .cells = FormOf(plan.cells),
                             .input_format = input.format,
                             .stored = input.stored.get(),
                             .changed = done.changed};
  return sink.Write(done.made.release, options, workers, progress);
}

Result<Table> ReadBack(Sink& sink, const Plan& plan, const FinishedRelease& done, const Workers& workers) {
  ReadOptions reading = ReleaseReadOptions(plan);
  reading.delimiter = done.input->delimiter;
  reading.charset.clear();
  return sink.ReadBack(reading, workers);
}

// What any release by the same plan has in its groups, those of the controller that asks for least. Where people have several
// rows, a row may count with several values, so l is left out.
GroupsHave GroupsOf(const Plan& plan, const Anonymized& made) {
  int64_t k = made.requirement.k, l = made.requirement.persons == Persons::kRows ? made.requirement.l : 1;
  for (const auto& [_, requirement] : plan.controller_requirements) {
    k = std::min(k, requirement.k);
    l = std::min(l, requirement.l);
  }
  return {.k = static_cast<uint64_t>(k), .l = static_cast<uint64_t>(l), .sensitive = made.bound.roles.sensitive};
}

// From the table to a release that is written and audited.
Status Finish(const ReleaseRequest& request, Sink& sink, const Workers& workers, Progress& progress,
              FinishedRelease& done) {
  TADA_CHECK_OK(CheckGuard(request.plan, sink));
  const TableFile& input = *done.input;
  Outcome& outcome = done.outcome;
  Plan plan = request.plan;
  TADA_TRY(policy, ReadPolicy(plan.profile));
  TADA_CHECK_OK(GuardPublished(input.table, plan));
  TADA_TRY(made, request.anonymize(input.table, plan, workers, progress));
  done.made = std::move(made);
  if (!plan.hierarchies.empty()) {
    std::vector<bool> has;
    for (size_t i = 0; i < done.made.hierarchies.size(); ++i) has.push_back(done.made.hierarchies.of(i).has_value());
    TADA_CHECK_OK(GuardPublished(input.table, plan, &has));
  }
  TADA_CHECK_OK(CheckLiterals(plan, done.made.release));
  outcome.seconds.insert(outcome.seconds.end(), done.made.seconds.begin(), done.made.seconds.end());
  {
    const TimeStage timer(outcome.seconds, "write");
    TADA_CHECK_OK(WriteTo(sink, request.plan, done, workers, progress));
  }
  std::future<Result<std::string>> digest;  // of the file that is audited meanwhile
  if (request.digests) digest = std::async([&sink] { return sink.Digest(); });
  std::optional<Table> after;  // what was released, for a confidential report
  {
    const TimeStage timer(outcome.seconds, "audit");
    progress.Begin("audit", 0);
    TADA_TRY(released, ReadBack(sink, request.plan, done, workers));
    TADA_CHECK_OK(AuditRelease(released, input.table, plan, done.made, workers, outcome));
    JudgePolicy(released, plan, policy, outcome.verdict);
    outcome.policy = policy.Rules();
    if (request.report_raw) after = std::move(released);
  }
  if (digest.valid()) {
    TADA_TRY(sha256, digest.get());
    outcome.release_sha256 = std::move(sha256);
  }
  DescribeRun(input.table, input.all_columns, plan, done.made, workers, outcome);
  for (std::string& warning : AllowedWarnings(input.table, plan)) outcome.warnings.push_back(std::move(warning));
  if (request.report_raw) {
    DescribeRawValues(input.table, done.made.release, outcome);
    outcome.least_ncp = LeastNcp(done.made.release, GroupsOf(plan, done.made), workers);
    DescribeStatistics(input.table, *after, outcome);
  }
  return Ok();
}

// About how much memory a table takes, by the file that it is in; nothing is known of others. Plain CSV takes little more than its bytes.
uint64_t ExpectedMemory(const std::string& path) {
  std::error_code none;
  const uintmax_t bytes = std::filesystem::file_size(path, none);
  if (none) return 0;
  const auto format = FormatOf(path);
  return bytes * (format.ok() && *format == Format::kCsv ? 2 : 8);
}

Result<FinishedRelease> ReadAndFinish(const ReleaseRequest& request, Source& source, Sink& sink, const Workers& workers,
                                      Progress& progress) {
  std::unique_ptr<Spill> spill;
  const uint64_t memory = request.memory > 0      ? request.memory
                          : sink.folder().empty() ? 0
                                                  : Spill::DefaultBudget(ExpectedMemory(source.name()));
  if (memory > 0) {
    TADA_TRY(opened, Spill::Open(sink.folder(), memory));
    spill = std::move(opened);
  }
  FinishedRelease done;
  {
    const TimeStage timer(done.outcome.seconds, "read");
    TADA_TRY(input, ReadPlanned(source, request.plan, workers, progress));
    TADA_TRY(hidden, HiddenTable(std::move(input.table), request.plan, done.changed));
    for (const ColumnClip& clip : request.plan.clip) done.changed.insert(clip.column);
    input.table = std::move(hidden);
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
  if (!sink.name().empty()) done.outcome.created = UtcNow("%Y-%m-%d %H:%M UTC");
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

Result<Verdict> WriteAgain(const FinishedRelease& done, Sink& sink, const Workers& workers, Progress& progress) {
  const Plan& plan = done.outcome.plan;
  TADA_CHECK_OK(CheckGuard(plan, sink));
  TADA_CHECK_OK(WriteTo(sink, plan, done, workers, progress));
  progress.Begin("audit", 0);
  TADA_TRY(released, ReadBack(sink, plan, done, workers));
  Outcome outcome;
  TADA_CHECK_OK(AuditRelease(released, done.input->table, plan, done.made, workers, outcome));
  return std::move(outcome.verdict);
}

}  // namespace tada
