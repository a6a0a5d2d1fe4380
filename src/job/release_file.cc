#include "job/release_file.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

#include "base/spill.h"
#include "evaluate/auto_method.h"
#include "io/format.h"
#include "io/read.h"
#include "io/write.h"
#include "job/release_options.h"
#include "run/anonymize.h"
#include "run/report.h"
#include "run/report_html.h"
#include "run/stopwatch.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr size_t kSampleRows = 12;

// How each column of the plan is to be read; every list of the plan, with what its role asks for.
ReadOptions ReadOptionsFor(const Plan& plan) {
  ReadOptions options;
  options.delimiter = plan.delimiter;
  options.defaults.missing = plan.missing;
  options.columns.emplace();
  const auto add = [&](const std::vector<PlannedColumn>& columns, bool quasi) {
    for (const PlannedColumn& column : columns) {
      ColumnOptions& as = options.by_name[column.name];
      as.kind = column.kind;
      as.missing = plan.missing;
      as.merge_missing = quasi;
      as.order = column.order;
      as.order_of_appearance = column.order_of_appearance;
      options.columns->push_back(column.name);
    }
  };
  add(plan.quasi, true);
  add(plan.sensitive, false);
  add(plan.label, false);
  add(plan.keep, false);
  if (!plan.controller_column.empty() && !options.by_name.contains(plan.controller_column)) {
    ColumnOptions& as = options.by_name[plan.controller_column];
    as.kind = Kind::kCategorical;
    as.missing = plan.missing;
    options.columns->push_back(plan.controller_column);
  }
  return options;
}

// The finished file, read back as the receiver will.
Result<Table> ReadBack(const PendingFile& file, const Plan& plan, char delimiter, const Workers& workers) {
  ReadOptions options = ReleaseReadOptions(plan);
  options.delimiter = delimiter;
  NoProgress silent;
  TADA_TRY(read, ReadTable(file.path(), options, workers, silent));
  return std::move(read.table);
}

AuditOptions AuditOptionsFor(const Table& released, const Table& original, const Anonymized& made) {
  AuditOptions options;
  options.requirement = made.requirement;
  options.original = &original;
  options.order = made.release.row_order;
  const Roles& roles = made.bound.roles;
  for (ColumnId id = 0; id < released.num_columns(); ++id) {
    options.original_column.push_back(original.Find(released.column(id).name()));
    const auto is = [&](const std::vector<ColumnId>& ids) {
      return options.original_column.back() &&
             std::find(ids.begin(), ids.end(), *options.original_column.back()) != ids.end();
    };
    if (is(roles.quasi)) options.quasi.push_back(id);
    if (is(roles.sensitive)) options.sensitive.push_back(id);
  }
  return options;
}

// Each controller's rows of the finished file, by themselves: small classes of one controller may hide among another's in
// the union. A failure becomes a problem of the whole release and names the controller.
Status AuditControllers(const Table& released, const Anonymized& made, const AuditOptions& whole,
                        const Workers& workers, Outcome& outcome) {
  if (made.controllers.size() < 2) return Ok();
  std::vector<uint32_t> controller_of(outcome.input_rows);
  for (uint32_t c = 0; c < made.controllers.size(); ++c) {
    for (const RowId row : made.controllers[c].rows) controller_of[row] = c;
  }
  std::vector<std::vector<RowId>> rows(made.controllers.size());
  for (RowId i = 0; i < released.num_rows(); ++i) rows[controller_of[made.release.row_order[i]]].push_back(i);
  for (size_t c = 0; c < rows.size(); ++c) {
    workers.Poll();
    AuditOptions options;
    options.quasi = whole.quasi;
    options.sensitive = whole.sensitive;
    options.requirement = made.controllers[c].requirement;
    TADA_TRY(verdict, Audit(SelectRows(released, rows[c]), options, workers));
    for (const std::string& problem : verdict.problems) {
      outcome.verdict.passed = false;
      outcome.verdict.problems.push_back(fmt::format("Controller {}: {}", made.controllers[c].name, problem));
    }
    outcome.controllers.push_back({made.controllers[c].name, std::move(verdict)});
  }
  return Ok();
}

std::vector<std::vector<std::string>> Sample(const Table& released) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Column& column : released.columns()) rows[0].push_back(column.name());
  for (size_t row = 0; row < std::min(kSampleRows, released.num_rows()); ++row) {
    rows.emplace_back();
    for (const Column& column : released.columns()) rows.back().emplace_back(column.text(column.codes()[row]));
  }
  return rows;
}

// Some rows as they were; only a confidential report shows them.
std::vector<std::vector<std::string>> RawSample(const Table& table, const Release& release) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Column& column : table.columns()) rows[0].push_back(column.name());
  for (size_t i = 0; i < std::min(kSampleRows, release.row_order.size());
       ++i) {  // the same people as in the other sample
    rows.emplace_back();
    for (const Column& column : table.columns())
      rows.back().emplace_back(column.text(column.codes()[release.row_order[i]]));
  }
  return rows;
}

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  return text;
}

std::vector<Outcome::Column> DescribeColumns(const Table& table, const BoundPlan& bound, bool raw) {
  std::vector<Outcome::Column> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    const Column& column = table.column(id);
    const auto is = [&](const std::vector<ColumnId>& ids) {
      return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    const Roles& roles = bound.roles;
    const char* role = is(roles.quasi)       ? "quasi-identifier"
                       : is(roles.sensitive) ? "sensitive"
                       : is(roles.label)     ? "label"
                       : is(roles.keep)      ? "kept"
                                             : "controller";
    uint64_t missing = 0;
    if (column.num_missing() > 0) {
      column.codes().Visit([&](auto codes) {
        for (const auto code : codes) missing += column.is_missing(code) ? 1 : 0;
      });
    }
    columns.push_back({column.name(), role, std::string(KindName(column.kind())), column.num_values(), missing});
    if (raw && column.is_numeric() && column.num_codes() > column.num_missing()) {
      columns.back().smallest = column.text(column.num_missing());
      columns.back().largest = column.text(column.num_codes() - 1);
    }
  }
  return columns;
}

double PeakMemoryMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Columns that do not exist are named before the file is read, whatever its size.
Status CheckColumns(const ReleaseJob& job, const std::vector<std::string>& header) {
  const auto check = [&](const std::string& name, std::string_view option) -> Status {
    if (std::find(header.begin(), header.end(), name) != header.end()) return Ok();
    const auto nearest = NearestName(name, header);
    return InvalidArgument("--{} names a column that the input does not have: {}", option, name)
        .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                          : fmt::format("Columns of {}: {}", job.input, fmt::join(header, ", ")));
  };
  const auto check_all = [&](const std::vector<PlannedColumn>& columns, std::string_view option) -> Status {
    for (const PlannedColumn& column : columns) TADA_CHECK_OK(check(column.name, option));
    return Ok();
  };
  TADA_CHECK_OK(check_all(job.plan.quasi, "quasi"));
  TADA_CHECK_OK(check_all(job.plan.sensitive, "sensitive"));
  TADA_CHECK_OK(check_all(job.plan.label, "label"));
  TADA_CHECK_OK(check_all(job.plan.keep, "keep"));
  if (!job.plan.controller_column.empty()) TADA_CHECK_OK(check(job.plan.controller_column, "controller-column"));
  return Ok();
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
  TableFile input;
  {
    const TimeStage timer(outcome.seconds, "read");
    if (job.input != "-") {
      TADA_TRY(header, ReadHeader(job.input, job.plan.delimiter));
      TADA_CHECK_OK(CheckColumns(job, header));
    }
    TADA_TRY(read, ReadTable(job.input, ReadOptionsFor(job.plan), workers, progress));
    input = std::move(read);
    TADA_CHECK_OK(CheckColumns(job, input.all_columns));
    if (report && job.input != "-") {
      TADA_TRY(digest, FileSha256(job.input));
      outcome.input_sha256 = std::move(digest);
    }
  }
  const Table& table = input.table;
  outcome.input_rows = table.num_rows();
  Plan plan = job.plan;
  TADA_TRY(made, AnonymizeOrChoose(table, plan, workers, progress));
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
    const AuditOptions options = AuditOptionsFor(released, table, made);
    TADA_TRY(verdict, Audit(released, options, workers));
    outcome.verdict = std::move(verdict);
    TADA_CHECK_OK(AuditControllers(released, made, options, workers, outcome));
    outcome.sample = Sample(released);
  }
  outcome.score = Score(made.release, workers);
  outcome.method = made.bound.method;
  outcome.stages = made.stages;
  outcome.plan = plan;
  outcome.plan.method = made.bound.method;
  outcome.plan.task = made.bound.task;
  outcome.withheld_rows = table.num_rows() - made.release.row_order.size();
  outcome.input_path = job.input;
  outcome.input_format = input.format;
  outcome.input_columns = input.all_columns.size();
  outcome.output_path = job.output;
  outcome.command = job.command;
  outcome.report_raw = job.report_raw;
  outcome.columns = DescribeColumns(table, made.bound, job.report_raw);
  outcome.created = Now();
  if (job.report_raw) outcome.raw_sample = RawSample(table, made.release);
  for (const std::string& name : input.all_columns) {
    if (!table.Find(name)) outcome.dropped_columns.push_back(name);
  }
  outcome.warnings = made.notes.warnings;
  outcome.sections = made.notes.sections;
  outcome.peak_memory_mb = PeakMemoryMb();
  if (!outcome.verdict.passed) return outcome;
  if (report) TADA_CHECK_OK(WriteReport(outcome, job, *report));
  workers.Poll();
  TADA_CHECK_OK(file.Publish());
  if (report) TADA_CHECK_OK(report->Publish());
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
